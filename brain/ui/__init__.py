"""The pages' shared parts: the frame, answers, the evidence graph, tables, charts, jobs."""
