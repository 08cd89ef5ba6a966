"""The addresses of what can be read: a kind, an id, and for some a form of it."""

from __future__ import annotations

from urllib.parse import quote, unquote

SCHEME = "hopcheck://"
WORKSPACE = f"{SCHEME}workspace"
TEMPLATES = {
    f"{SCHEME}entity/{{key}}": ("entity", "One thing by its key: what is known of it, its relations, and the words of its source."),
    f"{SCHEME}run/{{id}}": ("run", "A kept run of yours: the answer, how each claim was checked, every step with its query and rows."),
    f"{SCHEME}incident/{{id}}": ("incident", "A kept investigation of yours, whole."),
    f"{SCHEME}incident/{{id}}/post-mortem": ("post_mortem", "The draft of a post-mortem of a kept investigation."),
    f"{SCHEME}incident/{{id}}/message": ("message", "The draft of a chat message about a kept investigation."),
}


def of(kind: str, ident: str, form: str = "") -> str:
    """The address of a thing: `hopcheck://entity/pr%3Aorg%2Fname%2312`."""
    return f"{SCHEME}{kind}/{quote(ident, safe=':')}" + (f"/{form}" if form else "")


def parts(address: str) -> tuple[str, str, str]:
    """Kind, id and form of an address; three empty texts for what is none. A key may stand in it as it is."""
    if not address.startswith(SCHEME):
        return "", "", ""
    kind, _, rest = address.removeprefix(SCHEME).partition("/")
    form = ""
    if kind == "incident":
        rest, _, form = rest.partition("/")
    return kind, unquote(rest), form
