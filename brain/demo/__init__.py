"""The demo organisation: scripts by hand, raw files made from them. README.md says what is in it."""
