"""Search by words, as a tool: the words are analysed here, as the stored texts were."""

from __future__ import annotations

from brain.errors import ToolError
from brain.text.analysis import query_terms
from brain.tools import naming
from brain.tools.asking import Asking, tool
from brain.types import Result


@tool("text: str, k: int = 10, labels: list[str] = [], repos: list[str] = [], since: int = 0, until: int?")
def search_text(ctx: Asking, text: str, k: int, labels: list[str], repos: list[str], since: int, until: int | None) -> Result:
    """Passages of issues, pull requests, comments, commits and releases whose words match, best first; any of the words is
    enough. Rows: chunk, score, src (the key of what the passage belongs to), src_label, title, text, line, line_end, at, author,
    repo, url, part.
    """
    terms = query_terms(text)
    if not terms:
        raise ToolError("'text' needs at least one word that says what it is about")
    args = {"k": k, "labels": labels, "repos": naming.repositories(ctx, repos), "since": since, "until": until}
    return ctx.run("search_text", terms=terms, **args)


TOOLS = (search_text,)
