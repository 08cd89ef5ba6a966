"""What people wrote, read by a model: it may only propose claims of registered kinds, each with a quoted line. Everything it says
is checked here, and whatever stands waits for a person.
"""
