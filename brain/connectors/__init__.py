"""One module a source format. The table is checked against the folder by a test."""

from brain.connectors import auto, backstage, codeowners, git, github, slack, tickets

FORMATS = {"auto": auto, "backstage": backstage, "codeowners": codeowners, "git": git, "github": github, "slack": slack, "tickets": tickets}
