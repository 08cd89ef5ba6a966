"""Follow-ups: a question that leans on the one before is completed from it, in plain text. One that stands alone stays as it is."""

from __future__ import annotations

import re

from brain.agents import followup_words as say
from brain.agents.spelled import spelled
from brain.text.link_things import RUNS
from brain.text.linking import Linker
from brain.text.mentions import Links, Mention
from brain.text.timewords import parse
from brain.types import Answer

_AND = re.compile(
    r"^\s*(?:and|what about|how about|and what about|same for|the same for|also for|now for|now|what of|or|but)\b[\s,:]*"
    r"(?P<prep>for|in|of|with|about|by|from|to|on)?\b\s*",
    re.I,
)
_PREP = re.compile(r"^\s*(?P<prep>for|in|of|with|by|from|to|on|at|during|since|before|after)\s+", re.I)
_BESIDES = re.compile(
    r"\b(?:the|a|an|team|squad|service|repo|repository|project|rule|decision|ticket|incident|then|instead|though|please|in|on|of|for|by|to|from"
    r"|with|at|during|since|and|or|about|it was|what|how|same|now|there|also)\b|[\s?.!,:;'\u2019]",
    re.I,
)
_FAMILIES = (
    frozenset({*RUNS, "Repo", "Team"}), frozenset({"PullRequest", "Issue", "Commit", "Ticket"}), frozenset({"Person", "Team"}),
    frozenset({"File", "Directory"}), frozenset({"Rule", "Decision", "Doc"}), frozenset({"Alert", "Incident", "Deploy"}),
)  # fmt: skip
_KIND = re.compile(r"^(?:the|a|an|our)\s+|\s+(?:team|squad|service|repository|repo|system)$", re.I)
_HANGING = re.compile(r"(?:\s+(?:in|during|since|on|of|for|over))?\s*[ ?.]*$", re.I)
_MANY_SHOWN, _LONGEST_NAME = 20, 6


def whole(answer: Answer) -> str:
    """The question of a run as it was answered: completed where it leaned on the one before, or said “my team”."""
    return next((str(s.args["question"]) for s in answer.steps if s.tool == "link" and s.args.get("question")), answer.question)


def repos_of(before: Answer | None) -> tuple[str, ...]:
    """The repositories the run before was about, for numbers that name none."""
    if before is None:
        return ()
    keys = [*before.items, *(c for claim in before.claims for c in claim.cites)]
    repos = []
    for key in keys:
        prefix, _, rest = key.partition(":")
        if prefix in ("pr", "issue", "commit", "release", "file", "dir", "repo") and "/" in rest:
            repos.append("repo:" + re.split(r"[#@]", "/".join(rest.split("/")[:2]))[0])
    return tuple(dict.fromkeys(repos))[:1]


def complete(question: str, before: Answer, linker: Linker, now: int) -> str:
    """The question with what it leaves out filled in from the run before; unchanged when it stands alone."""
    return Completing(before, linker, now).complete(question)


class Completing:
    """What a follow-up can be completed from: the run before, its question as it was answered, and what that named."""

    def __init__(self, before: Answer, linker: Linker, now: int) -> None:
        self.before, self.linker, self.now = before, linker, now
        self.text = whole(before)
        self.names = {n.key: n.name for n in before.nodes}
        self.named = [m for m in linker.link(self.text, ()).mentions if m.sure]

    def complete(self, question: str) -> str:
        """The question with what it leaves out filled in; unchanged when it stands alone."""
        if say.ONES.match(question):
            return say.HOW_MANY.sub("which ", self.text, count=1)
        if say.COUNTED.match(question) and say.LISTED.match(self.text):
            return say.LISTED.sub("How many ", self.text, count=1)
        if bare := self._bare(question):
            return bare
        own = self.linker.link(question, repos_of(self.before))
        start = _AND.match(question) or (_PREP.match(question) if self._fragment(question, own) else None)
        if start or self._fragment(question, own):
            swapped = self._replaced(question[start.end() :] if start else question, (start["prep"] or "") if start else "")
            if swapped:
                return swapped
        if part := say.PART.match(question):
            key = self.antecedent("", say.OF_PART.get(part["part"].lower().rstrip("s"), ""))
            asked = say.PARTS[part["part"].lower().rstrip("s")]
            return self._filled(asked, "{}", [key]) if key else question
        return self._many(question, own) or self._nth(question) or self._one(question, own)

    # -- single words --------------------------------------------------------------------------

    def _bare(self, question: str) -> str:
        """Why, when or who alone, asked of the run before."""
        m = say.BARE.match(question)
        if not m:
            return ""
        word = m["word"].lower()
        if turned := say.turned(word, self.text):
            return turned
        key = self.antecedent("", "")
        form = say.ALONE.get(word, {}).get(key.partition(":")[0], "")
        return self._filled(form, "{}", [key]) if form and key else ""

    # -- another name or time ------------------------------------------------------------------

    def _fragment(self, question: str, own: Links) -> bool:
        """Is it nothing but names and times, with a preposition before or a question mark behind?"""
        time = parse(question, self.now, tuple((m.start, m.end) for m in own.mentions))
        spans = [*((m.start, m.end) for m in own.mentions if m.label), *time.spans]
        if not spans or not (time.spans or _PREP.match(question) or question.rstrip().endswith("?")):
            return False
        for start, end in sorted(spans, reverse=True):
            question = question[:start] + question[end:]
        return not _BESIDES.sub("", question)

    def _replaced(self, rest: str, prep: str) -> str:
        """The question before with the new name or time in the old one's place; empty when nothing fits."""
        if not rest:
            return ""
        if put := self._substituted(rest, prep):
            return put
        text = self.text
        fresh, old = self.linker.link(rest, repos_of(self.before)).mentions, self.linker.link(text, ()).mentions
        time, was = (parse(t, self.now, tuple((m.start, m.end) for m in ms)) for t, ms in ((rest, fresh), (text, old)))
        left = rest
        for start, end in sorted([*((m.start, m.end) for m in fresh), *time.spans], reverse=True):
            left = left[:start] + left[end:]
        if _BESIDES.sub("", left):
            return ""
        changed = False
        for m in fresh:
            same = [o for o in old if o.label == m.label] or [o for o in old if any({o.label, m.label} <= f for f in _FAMILIES)]
            beside = [o for o in same if prep and re.search(rf"\b{prep}(?: the| a| an)?(?: \w+)?\s*$", text[: o.start], re.I)]
            if same:
                text = text.replace((beside or same)[0].text, m.text, 1)
                changed = True
            elif prep and m.sure and m.label:
                text = f"{text.rstrip(' ?.!')} {prep} {m.text}?"
                changed = True
        if time.spans:
            for start, end in reversed(was.spans):
                text = text.replace(self.text[start:end], "", 1)
            when = time.words if _PREP.match(time.words) or not (prep or time.words.isdigit()) else f"{prep or 'in'} {time.words}"
            text = f"{re.sub(_HANGING, '', ' '.join(text.split()))} {when}?"
            changed = True
        return text if changed else ""

    def _substituted(self, rest: str, prep: str) -> str:
        """The question before with a name in the place of one that it is the same kind of thing as there; empty where none fits."""
        name = _KIND.sub("", rest.strip(" ?.!,;")).strip()
        if not name or len(name.split()) > _LONGEST_NAME:
            return ""
        beside = [o for o in self.named if prep and re.search(rf"\b{prep}(?: the| a| an)?(?: \w+)?\s*$", self.text[: o.start], re.I)]
        for old in dict.fromkeys([*beside, *self.named]):
            put = self.text[: old.start] + name + self.text[old.end :]
            end = old.start + len(name)
            if any(m.start <= old.start and m.end >= end and m.label == old.label and m.sure for m in self.linker.link(put, ()).mentions):
                return put
        return self._in_place(name)

    def _in_place(self, name: str) -> str:
        """The question before with another kind of thing of one family in the only place there is; empty where it does not fit."""
        if len(self.named) != 1:
            return ""
        old = self.named[0]
        before = re.sub(r"\bthe (?:team |service )?$", "", self.text[: old.start], flags=re.I)
        after = re.sub(r"^ (?:team|service)\b", "", self.text[old.end :], flags=re.I)
        put, start = before + name + after, len(before)
        fits = (m for m in self.linker.link(put, ()).mentions if m.sure and m.start <= start and m.end >= start + len(name))
        return put if any({m.label, old.label} <= family for m in fits for family in _FAMILIES) else ""

    # -- pronouns ------------------------------------------------------------------------------

    def _many(self, question: str, own: Links) -> str:
        """The question with “them” or “those” written out; empty when there is no such word, or only one thing was found."""
        many = say.MANY.search(question)
        keys = [k for k in self.before.items[:_MANY_SHOWN] if ":" in k]
        if not many or len(self.before.items) < 2 or not keys or (say.bound(question, many, own, ()) and not say.OF_THEM.search(question)):
            return ""
        return self._put(question, many.start(), many.end(), keys)

    def _nth(self, question: str) -> str:
        """The question with “the second one” written out, where there are so many."""
        m = say.NTH.search(question)
        place = say.PLACES[m["nth"].lower()] if m else 0
        keys = [k for k in self.before.items if ":" in k]
        return self._put(question, m.start(), m.end(), [keys[place]]) if m and len(keys) > 1 and -1 <= place < len(keys) else ""

    def _one(self, question: str, own: Links) -> str:
        """The question with “she”, and “it”, “there”, “the team” or the like, written out."""
        somebody = "person" if len(self.before.items) == 1 and self.before.items[0].startswith("person:") else ""
        fresh = question
        for pattern, wanted, labels in (
            (say.PERSON, "person", ("Person",)), (say.PLACE, "", ()), (say.THING, "", ()), (say.MANY, somebody, ()),
        ):  # fmt: skip
            if pattern is not say.PERSON and fresh != question and pattern is not say.THING:
                continue
            m = next((m for m in pattern.finditer(fresh) if not say.bound(fresh, m, own, labels)), None)
            key = self.antecedent(wanted or say.prefix(m[0]), say.about(fresh)) if m else ""
            if m and key:
                said = m[0].lower()
                owned = "'s" if said in ("its", "their", "his", "her", "theirs", "hers") or said.endswith(("'s", "\u2019s")) else ""
                fresh = self._put(fresh, m.start(), m.end(), [key], "in " if pattern is say.PLACE else "", owned)
                own = self.linker.link(fresh, repos_of(self.before)) if pattern is say.PERSON else Links()
        return fresh

    def antecedent(self, prefix: str, about: str) -> str:
        """What a pronoun stands for: the only item of the answer before, else what its question named. `about` says what kind
        of thing the predicate fits: a team, or something that runs.
        """
        items = self.before.items
        named = [k for m in self.named for k in m.keys[:1]]
        pool = [*([items[0]] if len(items) == 1 else []), *named] if prefix != "person" else [*items[:1], *named]
        if prefix != "doc" and named:
            pool.sort(key=lambda k: k.startswith("doc:"))
        wanted = prefix.split()
        fitting = [k for k in pool if ":" in k and (k.partition(":")[0] in wanted if wanted else not k.startswith("person:"))]
        kinds = say.KINDS.get(about, ())
        return next((k for k in fitting if k.partition(":")[0] in kinds), fitting[0] if fitting else "")

    def _called(self, mention: Mention) -> str:
        """What the question before calls a thing, with its article."""
        article = re.search(r"\bthe $", self.text[: mention.start], re.I)
        return f"the {mention.text}" if article else mention.text

    def _put(self, question: str, start: int, end: int, keys: list[str], lead: str = "", own: str = "") -> str:
        return self._filled(f"{question[:start]}{lead}\0{own}{question[end:]}", "\0", keys)

    def _filled(self, form: str, slot: str, keys: list[str]) -> str:
        """A form with things in its slot, each so that it is read back as that thing."""
        as_before = {k: self._called(m) for m in reversed(self.named) for k in m.keys[:1] if m.label != "Team"}
        if len(keys) == 1 and keys[0] in as_before:
            return form.replace(slot, as_before[keys[0]], 1)
        said = spelled([(k, self.names.get(k, "")) for k in keys], self.linker, lambda words: form.replace(slot, words, 1))
        return form.replace(slot, said, 1)
