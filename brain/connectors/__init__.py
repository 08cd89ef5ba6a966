"""One module a source format. The table is checked against the folder by a test."""

from brain.connectors import git, github

FORMATS = {"git": git, "github": github}
