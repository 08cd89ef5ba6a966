"""A company of five services in which one alert has a cause and each kind of innocent change stands once."""

from __future__ import annotations

from claims_graph import Company, lines

HOUR, FIRED = 3600, 1_780_000_000
DOC = "doc:services.md"
NEEDS = (("shop", "basket"), ("basket", "prices"), ("prices", "ledger"), ("ledger", "vault"), ("press", "shop"))
ALERT, CAUSE = "alert:late", "deploy:prices-2"
TEAM = {"access": "restricted", "aud": ["team:till"]}


def company(secret: bool = False) -> Company:
    """The company; with `secret`, beside it a restricted cause, alert, incident and ticket for the team till alone."""
    made = Company()
    for name in ("shop", "basket", "prices", "ledger", "vault", "press", "other"):
        made.node(f"service:{name}", name, access="open", tier=1 if name == "shop" else 2)
    made.node("team:till", "Till", access="open")
    made.node("team:money", "Money", access="open")
    for login, name in (("ann", "Ann"), ("bob", "Bob"), ("cy", "Cy")):
        made.node(f"person:{login}", name, login=login, access="open")
    needs = [f"{a} needs {b}" for a, b in NEEDS]
    made.doc("services.md", lines(*needs, "till owns shop", "money owns prices", "Ann is on call for money", "Bob is on call for till", "Cy is in till"))
    for n, (a, b) in enumerate(NEEDS, 1):
        made.claim(f"service:{a}", "DEPENDS_ON", f"service:{b}", DOC, n, f"{a} needs {b}")
    n = len(NEEDS)
    made.claim("team:till", "OWNS", "service:shop", DOC, n + 1, "till owns shop")
    made.claim("team:money", "OWNS", "service:prices", DOC, n + 2, "money owns prices")
    made.claim("person:ann", "ON_CALL_FOR", "team:money", DOC, n + 3, "Ann is on call for money")
    made.claim("person:bob", "ON_CALL_FOR", "team:till", DOC, n + 4, "Bob is on call for till")
    made.claim("person:cy", "MEMBER_OF", "team:till", DOC, n + 5, "Cy is in till")
    _alert(made)
    for n in range(8):  # what these services change in an ordinary month
        _deploy(made, f"deploy:old-{n}", ("shop", "basket", "prices", "ledger")[n % 4], FIRED - (20 + 5 * n) * 86_400, version=f"v0.{n}")
    _deploy(made, "deploy:prices-1", "prices", FIRED - 30 * HOUR, version="v1")
    _deploy(made, CAUSE, "prices", FIRED - HOUR, version="v2", description="Round every amount after the tax")
    if secret:
        _secret(made)
    return made


def _alert(made: Company) -> None:
    made.node(ALERT, "Totals differ from the till", access="open", at=FIRED, title="TotalsDiffer", severity="critical", status="firing",
              labels=["alertname=TotalsDiffer", "service=shop"])  # fmt: skip
    made.edge(ALERT, "FIRED_ON", "service:shop", at=FIRED)
    made.text(ALERT, "Totals differ from the till")


def deploy(made: Company, key: str, on: str, before: int, **more: object) -> None:
    """A deployment so many seconds before the alert."""
    _deploy(made, key, on, FIRED - before, **more)


def _deploy(made: Company, key: str, on: str, at: int, **more: object) -> None:
    props = {"env": "production", "status": "success", "access": "open", "repo": f"org/{on}", "sha": f"sha-{key}", **more}
    label = {k: v for k, v in (("access", props["access"]), ("aud", props.get("aud"))) if v}
    made.node(key, f"{on} {props.get('version', '')} to {props['env']}", at=at, **props)
    made.edge(key, "DEPLOYED_TO", f"service:{on}", at=at, **(label if label.get("aud") else {}))


def _secret(made: Company) -> None:
    _deploy(made, "deploy:secret", "shop", FIRED - 300, version="v9", description="Totals differ from the till", **TEAM)
    made.node("alert:secret", "Secret", at=FIRED - 60, title="Secret", severity="critical", status="firing", **TEAM)
    made.edge("alert:secret", "FIRED_ON", "service:basket", at=FIRED - 60)
    made.node("incident:SECRET", "Secret totals", at=FIRED - 90 * 86_400, ended_at=FIRED - 89 * 86_400, severity="SEV1", **TEAM)
    made.edge("incident:SECRET", "ABOUT", "service:shop", at=FIRED - 90 * 86_400)
    made.node("ticket:SECRET-1", "Secret change", at=FIRED - 600, created_at=FIRED - 700, closed_at=FIRED - 600, state="Done", **TEAM)
    made.edge("ticket:SECRET-1", "MODIFIES", "service:shop", at=FIRED - 600)
