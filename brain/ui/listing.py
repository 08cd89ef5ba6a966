"""Tables of our own HTML, with links in them: for reading, where a grid of cells would hide the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brain.ui import text
from brain.ui.text import esc


def table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for screen and screen reader. Cells are HTML already: pass text through `esc`, keys through `link`."""
    head = "".join(f'<th scope="col">{esc(c)}</th>' for c in columns)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<div class="hc-scroll" role="region" aria-label="{esc(caption)}" tabindex="0"><table class="hc-table">'
        f"<caption>{esc(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def link(address: str, label: str, title: str = "") -> str:
    """A link; without an address its label alone."""
    if not address:
        return esc(label)
    more = f' title="{esc(title)}"' if title else ""
    return f'<a class="hc-cite" href="{esc(address)}"{more}>{esc(label)}</a>'


def quote(words: str, source: str, line: int) -> str:
    """Words as they stand, with where; `source` is HTML already. Nothing for no words and no source."""
    said = f'<span class="hc-words">“{esc(text.short(words, 240))}”</span> ' if words else ""
    return f"{said}{source}{f', line {line}' if line and source else ''}"


def badge(word: str, kind: str = "") -> str:
    """A word in a frame, such as a state; `kind` is supported, unsupported or contradicted for its colour."""
    return f'<span class="hc-badge{f" hc-{kind}" if kind else ""}">{esc(word)}</span>'


def facts(pairs: Mapping[str, str]) -> str:
    """Names and values in one line; values are HTML already, empty ones are left out."""
    return " · ".join(f"{esc(k)} {v}" if k else v for k, v in pairs.items() if v)
