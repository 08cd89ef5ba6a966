"""A model's part in a run, in words: what it is writing, its turns, what it was asked for and what went wrong, and what it cost."""

from __future__ import annotations

from brain.ui.text import esc


def writing_html(written: str) -> str:
    """What a model is writing, marked as not checked; nothing where it writes nothing. What it writes is shown as characters."""
    if not written.strip():
        return ""
    return f'<div class="hc-writing"><p class="hc-note">Being written, not checked yet</p><p>{esc(written)}</p></div>'
