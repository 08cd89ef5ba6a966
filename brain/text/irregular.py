"""Verbs whose past has another stem: "held" means what "hold" means. Used where few words are compared with few names, so
that neither side has to be written twice in the index.
"""

from __future__ import annotations

from functools import cache

from brain.text.analysis import stem

_VERBS = """hold/held keep/kept choose/chose/chosen build/built send/sent take/took/taken give/gave/given write/wrote/written
    break/broke/broken drive/drove/driven run/ran sell/sold buy/bought pay/paid lose/lost leave/left find/found bring/brought
    teach/taught catch/caught think/thought speak/spoke/spoken freeze/froze/frozen fall/fell/fallen rise/rose/risen grow/grew/grown
    draw/drew/drawn begin/began/begun swear/swore/sworn wear/wore/worn tell/told lead/led feed/fed meet/met spend/spent lend/lent
    mean/meant deal/dealt feel/felt sleep/slept bind/bound wind/wound hang/hung stick/stuck strike/struck throw/threw/thrown
    fly/flew/flown know/knew/known show/shown see/saw/seen go/went/gone do/did/done make/made lay/laid say/said stand/stood
    understand/understood win/won get/got/gotten forget/forgot/forgotten hide/hid/hidden ride/rode/ridden steal/stole/stolen
    tear/tore/torn wake/woke/woken shake/shook/shaken forbid/forbade/forbidden"""


@cache
def _forms() -> dict[str, frozenset[str]]:
    known: dict[str, frozenset[str]] = {}
    for verb in _VERBS.split():
        stems = frozenset(stem(form) for form in verb.split("/"))
        known.update({one: known.get(one, frozenset()) | stems for one in stems})
    return known


def forms(term: str) -> frozenset[str]:
    """The stems of all forms of the verb that an index term is a form of; the term alone for every other."""
    return _forms().get(term, frozenset((term,)))
