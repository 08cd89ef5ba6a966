"""Replays of alerts whose cause is known: what is asked, what is right, and how far each arm gets."""
