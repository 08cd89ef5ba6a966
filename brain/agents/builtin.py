"""The engine that needs no model: link, understand, choose tools, word the findings.

The three arms share the linker, the understanding and the answer types; they differ in the tools.
"""

from __future__ import annotations

from dataclasses import replace

from brain.agents import among, company_correcting, company_premise, company_telling, composed, followup, limits, reader, router
from brain.agents.plain import Plain
from brain.agents.run import Draft, Run
from brain.agents.understand import Understanding, understand
from brain.text.lexicon import Lexicon
from brain.text.linking import Linker
from brain.text.timewords import parse
from brain.types import Answer, Arm, Node, Result


def understood(question: str, run: Run, lexicon: Lexicon, now: int, before: Answer | None) -> tuple[Understanding, dict[str, Node]]:
    """The question's roles, and the nodes it names; linking is the run's first step."""
    linker = Linker(lexicon, run.lookup)
    completed = question if before is None else followup.complete(question, before, linker, now)
    question, chosen = among.split(completed, linker)
    links = linker.link(question, followup.repos_of(before))
    taken = [(m.start, m.end) for m in links.mentions if m.label != "Concept"]
    low = question.lower()
    taken += [(low.find(name), low.find(name) + len(name)) for name in lexicon.milestones if name in low]
    time = parse(question, now, tuple(taken))
    keys = list(dict.fromkeys(k for m in links.mentions for k in m.keys))[:50]
    got = run.ctx.run("by_keys", keys=keys) if keys else Result(())
    said = {m.text: list(m.keys) for m in links.mentions}
    run.add("link", "what the question names", {"question": completed, "names": said, "time": time.words}, got)
    u = replace(understand(question, links, time, lexicon), chosen=chosen)
    at = _instant(u)
    if at is not None:
        run.ctx = run.ctx.at(at)
        u = replace(u, time=replace(time, since=None, until=None, as_of=at))
    return u, {n.key: n for n in got.nodes}


def _instant(u: Understanding) -> int | None:
    """The instant at which the question asks how things stood, rather than what happened in a window."""
    time = u.time
    if time.as_of is not None and time.since is None:
        return time.as_of
    day = time.since is not None and time.until is not None and time.until - time.since <= 86_400
    stood = u.state == "open" or u.says("stood")
    return (time.until or 0) - 1 if day and stood and not u.says("happened") else None


def draft(question: str, arm: Arm, run: Run, lexicon: Lexicon, now: int, before: Answer | None = None) -> tuple[Draft, Understanding]:
    """The draft answer of one arm, before it is checked. `before` is the run a follow-up refers to."""

    def answering(plain: Plain, text: str, more: int) -> tuple[Draft, Understanding]:
        u, nodes = understood(text, run, lexicon, now, None)
        if more and (u.most or u.least or u.top or u.says("one_expert")):
            u = replace(u, top=(u.top or 1) + more)
        return _drafted(u, nodes, plain, now)

    u, nodes = understood(question, run, lexicon, now, before)
    return _drafted(u, nodes, Plain(arm, run, answering), now)


def _drafted(u: Understanding, nodes: dict[str, Node], plain: Plain, now: int) -> tuple[Draft, Understanding]:
    """The draft of a question that is made of others, else of the plain one."""
    run, arm = plain.run, plain.arm
    made = composed.answer(u, plain)
    if made is not None:
        return made, u
    if arm == "graph":
        made, meant = _over_graph(u, nodes, run, u.lexicon, now)
        made = limits.checked(meant, made, run)
        return (among.keep(made, u.chosen, u.question, run) if u.chosen else made), meant
    found = company_telling.found(u, run, arm)
    entries = [m.keys[0] for m in u.links.mentions if m.sure and m.label != "Concept"]
    return limits.checked(u, reader.read(u, found, run.last, entries), run), u


def _over_graph(u: Understanding, nodes: dict[str, Node], run: Run, lexicon: Lexicon, now: int) -> tuple[Draft, Understanding]:
    """The graph arm's draft: what the question takes for granted is checked first, and asked no further when it is not so."""
    if u.links.unknown or not u.lexicon.company:
        return router.answer(u, run, nodes), u
    checked, found = company_correcting.check(u, run)
    if checked is None:
        return router.answer(u, run, nodes), u
    rest = company_premise.remainder(u, found) if checked.state == "answered" else ""
    if not rest:
        return checked, u
    rest_u, rest_nodes = understood(rest, run, lexicon, now, None)
    draft = router.answer(rest_u, run, rest_nodes)
    return (draft, rest_u) if draft.state == "answered" else (checked, u)
