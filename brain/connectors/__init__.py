"""One module a source format. The table is checked against the folder by a test."""

from brain.connectors import alerts, auto, backstage, codeowners, deploys, git, github, markdown, slack, tickets

FORMATS = {
    "alerts": alerts,
    "auto": auto,
    "backstage": backstage,
    "codeowners": codeowners,
    "deploys": deploys,
    "git": git,
    "github": github,
    "markdown": markdown,
    "slack": slack,
    "tickets": tickets,
}
