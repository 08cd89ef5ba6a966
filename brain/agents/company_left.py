"""Words of a question that no part of the engine explains: they say what the things asked for are about, and are looked for in
their texts rather than left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents.company_facts import Row
from brain.agents.run import Run
from brain.agents.understand import Understanding
from brain.agents.wording import short
from brain.agents.words import words
from brain.text.analysis import query_terms, terms
from brain.text.lexicon import is_plain

_SECTIONS = ("aspects", "states", "groups", "special", "flags", "company")
_SPAN, REPORTS = 4, 8
_LABELS = {"incidents": "Incident", "alerts": "Alert", "deploys": "Deploy"}
_WORDS = """without lacking lack missing help desk helpdesk support tracker queue backlog happen happened happens occur occurred
    occurs year month week day days weeks months years today yesterday now currently moment right altogether total overall far
    recorded loaded known exist exists existing number amount list company organisation organization whole kind kinds type types sort
    sorts different various several many few single current recent recently lately latest newest oldest last past previous next
    earlier later before after during between since until ago ever never still yet already also both either each every time times
    often again back once go goes went come came see saw seen need needs want wants like look looks please thanks anything something
    nothing everything anybody somebody nobody thing things severe severity priority critical high medium low highest lowest urgent
    normal warning info worst biggest longest shortest production prod staging test dev environment system software service services
    jira zendesk pagerduty github slack grafana alertmanager argo customers customer users user clients people person team teams group
    squad us ours bug bugs task tasks story stories incident request requests per cent percent main important major minor serious big
    small longer than within concern concerns concerned concerning regard regarding relate related mention mentions mentioned describe
    described called named titled saying contain contains about touch touches deal deals work works worked working done made make
    makes do does given give gives gave take takes took taken start started starts begin began begun end ended ends finish finished
    open opened opens close closed closes set put get gets got hand part due date dated have has had belong belongs state status"""
_SAY_NOTHING = frozenset(_WORDS.split())


def left_over(u: Understanding) -> list[str]:
    """The words that say what it was about, in order; empty when every word is explained."""
    explained: set[str] = set()
    for section in _SECTIONS:
        for pattern in getattr(words(), section).values():
            for m in pattern.finditer(u.masked):
                said = re.findall(r"[\w-]+", m[0].lower())
                explained |= set(said) if len(said) <= _SPAN else set()
    return [w for w in u.words if w not in explained and w not in _SAY_NOTHING and not w.isdigit() and not _function(w)]


def _function(word: str) -> bool:
    return len(word) < 3 or not query_terms(word) or (is_plain(word) and word.endswith("ly"))


def having(run: Run, kind: str, rows: Sequence[Row], text: str) -> list[Row]:
    """Those of the incidents, alerts or deployments whose name, text or report has all of the words."""
    wanted = set(query_terms(text))
    held = {str(r["key"]): set(query_terms(str(r["name"] or ""))) for r in rows}
    reports: dict[str, set[str]] = {}
    got = run.call("search_text", f"{kind} and reports with these words", text=text, k=60, labels=[_LABELS[kind], "Doc"])
    for r in got.rows:
        src = str(r["src"])
        path = re.sub(r"[-_/.]", " ", src.partition(":")[2]) if src.startswith("doc:") else ""
        said = reports if src.startswith("doc:") else held
        if said is reports or src in held:
            said[src] = said.get(src, set()) | set(terms(f"{r.get('title') or ''} {path} {r['text']}"))
    for doc in [d for d, said in reports.items() if wanted <= said and kind == "incidents"][:REPORTS]:
        told = run.call("expand", f"what {short(doc)} reports", key=doc, rels=["REPORTED_IN"], direction="in", labels=["Incident"], k=5)
        for one in told.rows:
            if str(one["key"]) in held:
                held[str(one["key"])] |= reports[doc]
    return [r for r in rows if wanted <= held[str(r["key"])]]
