"""Investigating an alert: four roles in a fixed order over a blackboard; code decides, a model may at most word."""
