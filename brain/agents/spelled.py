"""Keys written into a question: as people call the thing, and so that the linker reads the same thing back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from brain.agents.wording import is_key, short
from brain.text.linking import Linker

_NOUNS = {
    "repo": "repository", "pr": "pull request", "deploy": "deployment", "doc": "document", "dir": "directory", "api": "interface",
}  # fmt: skip


def forms(key: str, name: str = "") -> list[str]:
    """How a thing can be written, the plainest first; the key itself is the last."""
    prefix, _, rest = key.partition(":")
    noun = _NOUNS.get(prefix, prefix)
    if not is_key(key):
        return [key]
    if prefix == "person":
        return [f"@{rest}", *filter(None, [name])]
    if prefix == "team":
        plain = (name or rest) if (name or rest).lower().endswith("team") else f"{name or rest} team"
        return [f"the {plain}", f"the team {name or rest}", f"the {rest} team", key]
    if prefix in ("pr", "issue", "commit", "release", "file", "dir"):
        return [short(key) if prefix in ("pr", "issue") else key, f"{noun} {short(key)}", key]
    if prefix in ("doc", "decision", "rule", "thread", "message"):
        return [key, f"{noun} “{name}”", name or rest]
    return list(dict.fromkeys([name or rest, rest, f"the {noun} {name or rest}", f"the {noun} {rest}", key]))


def spelled(keys: Sequence[tuple[str, str]], linker: Linker, whole: Callable[[str], str]) -> str:
    """These things, as (key, name), in words; `whole` gives the question that holds such words."""
    words: list[str] = []
    for key, name in keys:
        offered = forms(key, name)
        fits = (form for form in offered if any(m.keys == (key,) for m in linker.link(whole(" and ".join([*words, form]))).mentions))
        words.append(next(fits, offered[0]))
    return " and ".join(words)
