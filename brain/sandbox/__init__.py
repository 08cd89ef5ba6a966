"""The room for queries that people write themselves: a guard that reads them first, and a copy of the graph in a server of
its own, which may fall over without anybody else noticing.
"""
