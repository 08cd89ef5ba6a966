"""The engine that answers: what a question names and asks for, which tools to call, how to word what they give."""
