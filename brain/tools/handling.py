"""Who has really dealt with a thing before: by the tickets handled, in whatever system they were kept or talked about."""

from __future__ import annotations

from brain.errors import ToolError
from brain.tools.asking import Asking, tool
from brain.tools.things import thing
from brain.types import Result

_KINDS = ("Module", "Service", "System", "Api", "Resource", "Team", "Repo", "Project", "Ticket", "Incident", "Alert")


@tool("target: str, since: int?, k: int = 10, half_life_days: float = 180")
def handled_by(ctx: Asking, target: str, since: int | None, k: int, half_life_days: float) -> Result:
    """Who handled tickets about a module, service, system or interface, or about what a team owns, or one ticket: people by the
    tickets they claimed, took over, verified, fixed or resolved, as chat and the tickets themselves tell, newer ones counting more.
    Rows: key, name, tickets (how many), verified, fixed, last_at, score, departed, systems (where the tickets are kept), examples
    (keys of the newest), people (how many in all).
    """
    if half_life_days <= 0:
        raise ToolError("half_life_days must be more than 0")
    return ctx.run("tickets_handled", key=thing(ctx, target, _KINDS), since=since or 0, k=k, half_life_days=half_life_days)


TOOLS = (handled_by,)
