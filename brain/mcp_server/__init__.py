"""The tools, runs and reports for other agents, by the Model Context Protocol: the same tools, rules of access and checks as everywhere.

Who asks comes from the configuration or the token and is looked up at every request; no argument can change it.
"""
