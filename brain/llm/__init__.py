"""Models: what is said to one and what comes back, whatever server it runs on. The only room that knows a model's SDK."""
