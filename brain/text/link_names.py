"""Names in a question: the longest that is known wins, and a misspelt one is corrected with care."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.text.lexicon import COMMON, Lexicon, Name, is_plain, plain
from brain.text.link_things import COMPANY, called_by_kind, repository_meant, thing_meant
from brain.text.mentions import Links, Mention

_TOKEN = re.compile(r"@?[A-Za-z0-9](?:[\w.+/'\u2019-]*[\w+])?|[^\W\d_][\w'\u2019-]*")
_MAX_WORDS = 12
_BEFORE_REPO = re.compile(r"(?:\b(?:repo|repository|in|of|for|on|from|to|the|across|and|between)|`|,|/)$")
_CALLED_REPO = re.compile(r"(?:repo|repository)\b")
_CALLED_PROJECT = re.compile(r"(?:repo|repository|project)\b")
_ENDS_IN_REPO = re.compile(r"\b(?:repo|repository)$")
_BEFORE_RELEASE = re.compile(r"\b(?:release|version|tag|in)$")
_BEFORE_NAME = re.compile(r"\b(?:repo|repository|in|of|by|from|does|did|has|is|to|with|for|and)$")
_DONE = r"review|approve|merge|open|author|write|commit|comment|file|report|change|fix|reviewed|approved|merged|opened|written|authored"
_ACTOR = re.compile(
    r"\b(?i:prs?|pull requests?|pulls|issues?|commits?|reviews?|reviewed|merged|opened|written|authored|approved|created|filed"
    r"|reported|approvals?|comments?|changes) by ([a-z][\w-]{3,})\b(?! (?:and|of|the)\b)"
    rf"|\b(?i:did|has|does) ([a-z][\w-]{{3,}}) (?:\w+ )?(?:{_DONE})\b"
)


def known_names(text: str, links: Links, lexicon: Lexicon) -> list[Mention]:
    """The names of the lexicon in what is free of the text, each as long as possible."""
    tokens = [m for m in _TOKEN.finditer(text) if links.free(m.start(), m.end())]
    found: list[Mention] = []
    first = 0
    while first < len(tokens):
        for size in range(min(_MAX_WORDS, len(tokens) - first), 0, -1):
            mention = _named(text, tokens[first].start(), tokens[first + size - 1].end(), size, lexicon)
            if mention:
                found.append(mention)
                first += size
                break
        else:
            first += 1
    return found


def _named(text: str, start: int, end: int, size: int, lexicon: Lexicon) -> Mention | None:
    """What a stretch of so many words names, read with and without a possessive or plural ending."""
    raw = text[start:end]
    form = plain(raw).rstrip(".,;:?!")
    if size > 1 and (called := called_by_kind(form, lexicon)):
        return Mention(start, end, raw, tuple(dict.fromkeys(n.key for n in called)), called[0].label, called[0].how)
    for spelling in (form, re.sub(r"['\u2019]s?$", "", form), form.rstrip("s") if size > 1 else form):
        chosen = _fitting(lexicon.get(spelling), text, start, end, spelling)
        if chosen:
            how = chosen[0].how
            sure = how != "given" and (how != "term" or spelling not in COMMON)
            return Mention(start, end, raw, tuple(dict.fromkeys(n.key for n in chosen)), chosen[0].label, how, sure)
    return None


def _fitting(names: Sequence[Name], text: str, start: int, end: int, form: str) -> list[Name]:
    """The reading that fits the place: a repository before a person before a release before a concept; a service, team,
    document or the like before them where the words around it ask for one.
    """
    before, after = text[:start].lower().rstrip(), text[end:].lower().lstrip()
    repos, people, releases, concepts = ([n for n in names if n.label == label] for label in ("Repo", "Person", "Release", "Concept"))
    everyday = form in COMMON and " " not in form
    things = thing_meant([n for n in names if n.label in COMPANY], text, start, end, form)
    if things and not people and not (repos and repository_meant(text)):
        return things
    if repos and _is_repo(text[start:end], before, after, everyday, bool(people)):
        return repos
    if people:
        people = [n for n in people if n.how == "login"] or people
        if _is_person(people[0].how, text[start:end], start, form, everyday):
            return people
    if repos and not everyday:
        return repos
    if things:
        return things
    if releases and (not form.isdigit() or _BEFORE_RELEASE.search(before)):
        return releases
    return [] if everyday else concepts


def _is_repo(raw: str, before: str, after: str, everyday: bool, a_person_too: bool) -> bool:
    """Is a repository meant? An everyday word must be called one, a person's name must stand where one may."""
    if everyday and not _CALLED_REPO.match(after) and not _ENDS_IN_REPO.search(before):
        return False
    return not a_person_too or raw.startswith("`") or bool(_CALLED_PROJECT.match(after) or _BEFORE_REPO.search(before))


def _is_person(how: str, raw: str, start: int, form: str, everyday: bool) -> bool:
    """Is a person meant? A given name or an everyday word must be written with a capital letter, or own something."""
    if raw.startswith("@"):
        return True
    capital = raw[:1].isupper() or re.search(r"['\u2019]s$", raw) is not None
    if everyday:
        return capital and start > 0 and how != "given"
    weak = how == "given" or (form.isalpha() and len(form) < 4)
    return not weak or capital or how == "login"


def misspelt_repos(text: str, names: Sequence[Mention], lexicon: Lexicon) -> list[Mention]:
    """Words that are close to exactly one repository's name, for a question that names no repository."""
    found: list[Mention] = []
    for match in _TOKEN.finditer(text):
        word = re.sub(r"['\u2019]s$", "", match[0]).rstrip(".'\u2019")
        taken = any(match.start() < n.end and n.start < match.end() and n.label != "Concept" for n in names)
        if taken or len(word) < 5 or word.isdigit() or is_plain(word):
            continue
        keys = tuple(dict.fromkeys(n.key for n in lexicon.nearest(word, "Repo", 85.0)))
        if keys:
            found.append(Mention(match.start(), match.start() + len(word), word, keys, "Repo", "spelling", sure=False))
    return found


def link_misspelt(text: str, links: Links, lexicon: Lexicon) -> None:
    """Adds a word that is close to exactly one repository or person, where a name is expected."""
    for match in _TOKEN.finditer(text):
        word = match[0].rstrip(".'\u2019").removeprefix("@")
        if len(word) < 5 or plain(word) in COMMON or not links.free(match.start(), match.end()) or not _like_a_name(text, match, word):
            continue
        for label in ("Repo", "Person"):
            keys = tuple(dict.fromkeys(n.key for n in lexicon.nearest(word, label)))
            if keys:
                links.add(Mention(match.start(), match.end(), match[0], keys, label, "spelling", sure=False))
                break
        else:
            if match[0].startswith("@"):
                links.unknown.append((match[0], "nobody of that name"))


def _like_a_name(text: str, match: re.Match[str], word: str) -> bool:
    """Is it written as names are, capitalised inside a sentence, or announced as a repository?"""
    if match[0].startswith("@") or re.search(r"[-_\d]", word):
        return True
    before = text[: match.start()].rstrip().lower()
    inside = bool(before) and not before.endswith((".", "?", "!", ":"))
    called = _BEFORE_NAME.search(before) and re.match(r"\s*(?:repo|repository)\b", text[match.end() :])
    return (match[0][:1].isupper() and inside) or bool(called)


def link_actors(text: str, links: Links, lexicon: Lexicon) -> None:
    """Adds the person nearest to a word that stands where a person must; it is unknown when nobody is near.

    Words that are plain English name nobody.
    """
    for match in _ACTOR.finditer(text):
        word = next(group for group in match.groups() if group)
        start = match.start() + match[0].index(word)
        odd = re.search(r"\d|[-_]", word) or not is_plain(word)
        if not odd or plain(word) in COMMON or not links.free(start, start + len(word)):
            continue
        known = lexicon.get(word)
        people = [n for n in known if n.label == "Person"] if known else lexicon.nearest(word, "Person")
        if people:
            keys = tuple(dict.fromkeys(n.key for n in people))
            links.add(Mention(start, start + len(word), word, keys, "Person", people[0].how if known else "spelling", sure=False))
        elif not known:
            links.missing(word, "nobody of that name is loaded", start, start + len(word))
