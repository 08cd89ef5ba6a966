"""What is remembered of one viewer: the questions asked in order, and what they said about themselves. Nobody else reads it."""
