"""One module a source format. The table is checked against the folder by a test."""

from brain.connectors import git, github, tickets

FORMATS = {"git": git, "github": github, "tickets": tickets}
