"""One module a source format. The table is checked against the folder by a test."""

from brain.connectors import auto, backstage, git, github, slack, tickets

FORMATS = {"auto": auto, "backstage": backstage, "git": git, "github": github, "slack": slack, "tickets": tickets}
