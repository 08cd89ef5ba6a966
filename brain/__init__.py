"""Hopcheck: an engineering organisation in one graph, every answer checked against it."""
