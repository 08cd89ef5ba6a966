"""Playbooks: what a person confirmed and a check verified, kept to be tried first the next time, and put away when it fails."""

from brain.playbooks.following import Following
from brain.playbooks.plays import Cause, Playbook, Wording
from brain.playbooks.shelf import Playbooks
from brain.playbooks.wordings import reading

__all__ = ["Cause", "Following", "Playbook", "Playbooks", "Wording", "reading"]
