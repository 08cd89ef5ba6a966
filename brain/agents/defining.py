"""“What is a …?”: a line of what is written that defines the word comes before any that only uses it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents.run import Draft, Fact
from brain.agents.understand import Understanding
from brain.agents.wording import titled
from brain.text.passages import Passage
from brain.types import Quote

_ASKED = re.compile(
    r"^\W*(?:what(?:['\u2019]s| is| are| does| do)|define|explain|meaning of)\s+(?:(?:an?|the|our|by|meant by)\s+)*"
    r"(?P<word>[\w][\w /-]{1,40}?)"
    r"(?:\s+(?:mean|stand for|about))?\W*$",
    re.I,
)
_MARKS = r"(?:[-*+#>|\d.)\s]|\*\*|__|`|[\"\u201c\u201d])*"


def defined(u: Understanding, passages: Sequence[Passage], step: int, entries: list[str]) -> Draft | None:
    """The line that defines what is asked about, with its document; None where nothing is asked to be defined, or nothing defines it."""
    m = _ASKED.match(u.question)
    if not m or u.want != "text":
        return None
    line = re.compile(
        rf"^{_MARKS}(?:an?\s+|the\s+)?{re.escape(m['word'])}{_MARKS}(?::|\s[\u2013\u2014-]\s|\||\s(?:means|stands for)\s"
        r"|\s(?:is|are)\s+(?:an?|the|our|any|one|what|when|where|how)\s)\s*\S",
        re.I,
    )
    for p in passages:
        for i, raw in enumerate(p.body.split("\n")):
            if line.match(raw):
                quote = Quote(p.src, min(p.line + i, p.line_end or p.line + i), raw.strip())
                fact = Fact(f"{titled(p.src, p.title)}: \u201c{quote.text}\u201d", (p.src,), (quote,), step)
                return Draft([p.src], [fact], entries=[*entries, p.src])
    return None
