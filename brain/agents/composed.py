"""Questions made of questions: two in one, something left out, one thing but not the other, the only one, more than. The plain questions in
them are asked, and the answer is made of their answers.
"""

from __future__ import annotations

from brain.agents import alone, comparing, leaving_out, negated, setwise, several
from brain.agents.plain import Plain
from brain.agents.run import Draft
from brain.agents.understand import Understanding

_PARTS = (several.answer, alone.answer, leaving_out.answer, setwise.answer, comparing.answer, negated.answer)


def answer(u: Understanding, plain: Plain) -> Draft | None:
    """The draft of a question that is made of others; None for a plain one."""
    if plain.deep or u.chosen:
        return None
    for part in _PARTS:
        if u.links.unknown and part is not several.answer:
            return None
        draft = part(u, plain)
        if draft is not None:
            return draft
    return None
