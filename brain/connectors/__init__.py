"""One module a source format. The table is checked against the folder by a test."""

from brain.connectors import backstage, git, github, tickets

FORMATS = {"backstage": backstage, "git": git, "github": github, "tickets": tickets}
