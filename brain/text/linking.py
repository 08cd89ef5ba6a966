"""Entity linking: which stored things a question names, and where in the text.

Keys, addresses, numbers with their repository, paths, shas, quoted titles, then names by longest
match, then one careful correction of a misspelling. A mention keeps every reading that fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rapidfuzz import fuzz

from brain import schema
from brain.text import link_paths
from brain.text.analysis import query_terms
from brain.text.lexicon import COMMON, Lexicon, Name, is_plain, plain
from brain.text.link_paths import QUOTED, clean, looks_like_path

Ask = Callable[..., Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Mention:
    """A stretch of the question and the entities it may name; `sure` is false for weak readings
    (given names, everyday words), `how` tells by which rule it was found."""

    start: int
    end: int
    text: str
    keys: tuple[str, ...]
    label: str
    how: str
    sure: bool = True


@dataclass
class Links:
    """The mentions of a question in order, and what looked like a name but links to nothing."""

    mentions: list[Mention] = field(default_factory=list)
    unknown: list[tuple[str, str]] = field(default_factory=list)
    ambiguous: list[Mention] = field(default_factory=list)

    def of(self, *labels: str) -> list[Mention]:
        """The mentions with one of these labels."""
        return [m for m in self.mentions if m.label in labels]

    def spans(self) -> tuple[tuple[int, int], ...]:
        """The stretches of text that are taken."""
        return tuple((m.start, m.end) for m in self.mentions)


_REPO = r"[A-Za-z0-9][\w.-]*"
_URL = re.compile(rf"https?://[\w.-]+/({_REPO}/{_REPO})/(pull|pulls|issues|commit|releases/tag|tree/[\w.-]+|blob/[\w.-]+)/([^\s?#)\]]+)")
_REPO_URL = re.compile(rf"https?://[\w.-]+/({_REPO}/{_REPO})(?=[\s?)\].,]|$)")
_KEY = re.compile(rf"\b({'|'.join(sorted(schema.LABEL_OF_PREFIX))}):([^\s,;?)\"']+)")
_HASH = re.compile(rf"(?:\b({_REPO}/{_REPO}|{_REPO}))?(\s?)#(\d+)\b")
_KINDS = {"p": "pr", "m": "pr", "i": "issue", "t": "issue", "b": "issue"}
_KIND = re.compile(
    r"\b(prs?|pull[ -]?requests?|pulls?|merge[ -]?requests?|mrs?|issues?|tickets?|bugs?)\s*(?:number|numbered|no\.?|nr\.?|num\.?)?\s*[#!]?(\d+)\b(?!\s*(?:%|days?|weeks?|months?|years?|people|times))",
    re.I,
)
_CHAIN = re.compile(r"\s*(?:,|and|or|&|vs\.?|versus)\s*[#!]?(\d+)\b", re.I)
_BEHIND = re.compile(
    r"(?:['’]s)?\s+#?((?!(?:19|20)\d\d\b)\d{1,5})\b(?!\s*(?:%|\.\d|days?|weeks?|months?|years?|people|persons|times|most|prs|pull|issues|reviews|commits|releases|reviewers|authors|[a-z]+ers\b))"
)
_SHA = re.compile(r"(?<![\w/.#-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w/-])")
_TOKEN = re.compile(r"@?[A-Za-z0-9](?:[\w.+/'’-]*[\w+])?|[^\W\d_][\w'’-]*")
_ACTOR = re.compile(
    r"\b(?:prs?|pull requests?|pulls|issues?|commits?|reviews?|reviewed|merged|opened|written|authored|approved|created|filed|reported|approvals?|comments?|changes) by ([a-z][\w-]{3,})\b(?! (?:and|of|the)\b)"
    r"|\b(?:did|has|does) ([a-z][\w-]{3,}) (?:\w+ )?(?:review|approve|merge|open|author|write|commit|comment|file|report|change|fix|reviewed|approved|merged|opened|written|authored)\b"
)
_MAX_GRAM = 6


class Linker:
    """Links questions against a lexicon; `ask(query name, **params)` reads what is not in it."""

    def __init__(self, lexicon: Lexicon, ask: Ask) -> None:
        self._lex, self._ask = lexicon, ask
        self._finder = link_paths.PathFinder(ask, self._repo_key)

    def link(self, question: str, context_repos: Sequence[str] = ()) -> Links:
        """The mentions of the question. `context_repos` (keys) stand in where a number has no repository."""
        text, links = question, Links()
        self._addresses(text, links)
        quoted = [m for m in QUOTED.finditer(text)]
        names = self._names(text, links)
        if not any(m.label == "Repo" for m in names):
            names += self._misspelt_repos(text, names)
        repos = [m for m in names if m.label == "Repo"]
        self._numbers(text, links, repos, context_repos)
        self._shas(text, links)
        self._paths(text, links, quoted, [k for m in repos for k in m.keys])
        for m in names:
            self._add(links, m)
        self._titles(text, links, quoted)
        self._misspelt(text, links)
        self._strangers(text, links)
        links.mentions.sort(key=lambda m: (m.start, -m.end))
        self._narrow(links)
        return links

    # -- collecting --------------------------------------------------------------------------

    @staticmethod
    def _free(links: Links, start: int, end: int) -> bool:
        return all(end <= m.start or m.end <= start for m in links.mentions)

    def _add(self, links: Links, mention: Mention) -> None:
        if mention.keys and self._free(links, mention.start, mention.end):
            links.mentions.append(mention)

    def _existing(self, keys: Sequence[str]) -> dict[str, str]:
        """Key in lower case -> stored key, of those that exist for the viewer."""
        rows = self._ask("by_keys", keys=list(dict.fromkeys(keys))) if keys else []
        return {str(r["key"]).lower(): str(r["key"]) for r in rows}

    def _repo_key(self, name: str) -> str | None:
        low = name.lower()
        if low in self._lex.repos:
            return self._lex.repos[low]
        found = {n.key for n in self._lex.get(low) if n.label == "Repo"}
        return found.pop() if len(found) == 1 else None

    def _addresses(self, text: str, links: Links) -> None:
        for m in _URL.finditer(text):
            repo = self._repo_key(m[1])
            what, rest = m[2].split("/")[0], m[3].rstrip(".,;/")
            if repo is None:
                links.unknown.append((m[0], "address of a repository that is not loaded"))
                continue
            full = repo.removeprefix("repo:")
            number = re.match(r"\d+", rest)
            tries = {
                "pull": [f"pr:{full}#{number[0]}"] if number else [],
                "pulls": [f"pr:{full}#{number[0]}"] if number else [],
                "issues": [f"issue:{full}#{number[0]}", f"pr:{full}#{number[0]}"] if number else [],
                "commit": [f"commit:{full}@{rest}"],
                "releases": [f"release:{full}@{rest}"],
            }.get(what, [f"file:{full}/{rest}", f"dir:{full}/{rest}"])
            self._keyed(links, m.start(), m.end(), m[0], tries, "address")
        for m in _REPO_URL.finditer(text):
            if repo := self._repo_key(m[1]):
                self._add(links, Mention(m.start(), m.end(), m[0], (repo,), "Repo", "address"))
        for m in _KEY.finditer(text):
            self._keyed(links, m.start(), m.end(), m[0], [m[0].rstrip(".")], "key")

    def _keyed(self, links: Links, start: int, end: int, text: str, tries: list[str], how: str) -> None:
        there = self._existing(tries)
        hit = next((there[t.lower()] for t in tries if t.lower() in there), None)
        if hit is None and tries and tries[0].startswith("person:"):
            hit = next((n.key for n in self._lex.get(tries[0][7:]) if n.label == "Person"), None)
        if hit:
            self._add(links, Mention(start, end, text, (hit,), schema.label_of(hit), how))
        else:
            links.unknown.append((text, "not loaded"))
            links.mentions.append(Mention(start, end, text, (), "", "nothing"))

    # -- numbers -----------------------------------------------------------------------------

    def _numbers(self, text: str, links: Links, repos: list[Mention], context: Sequence[str]) -> None:
        found: list[tuple[int, int, int, str, str | None]] = []
        for m in _KIND.finditer(text):
            kind = _KINDS[m[1][0].lower()]
            plural = m[1].lower().endswith("s")
            if plural and "#" not in m[0] and (not _CHAIN.match(text, m.end()) or 1900 < int(m[2]) < 2100):
                continue
            found.append((m.start(), m.end(), int(m[2]), kind, None))
            self._chained(text, m.end(), kind, found)
        for m in _HASH.finditer(text):
            if any(a <= m.start(3) < b for a, b, *_ in found):
                continue
            repo = self._repo_key(m[1]) if m[1] else None
            start = m.start() if repo else m.start(3) - 1
            before = text[:start].rstrip().lower()
            hint = re.search(r"(pr|prs|pull requests?|pull|merge request|issues?|ticket|bug)$", before)
            kind = _KINDS[hint[1][0]] if hint else ""
            found.append((start, m.end(), int(m[3]), kind, repo))
            self._chained(text, m.end(), kind, found)
        for m in repos:
            behind = _BEHIND.match(text, m.end)
            if behind and not any(a <= behind.start(1) < b for a, b, *_ in found):
                found.append((behind.start(1), behind.end(1), int(behind[1]), "", m.keys[0]))
        for start, end, number, kind, repo in sorted(set(found), key=lambda f: f[:4]):
            if self._free(links, start, end):
                self._number(text, links, (start, end, number, kind), repo, repos, context)

    @staticmethod
    def _chained(text: str, at: int, kind: str, found: list[tuple[int, int, int, str, str | None]]) -> None:
        while m := _CHAIN.match(text, at):
            found.append((m.start(1), m.end(), int(m[1]), kind, None))
            at = m.end()

    def _number(
        self, text: str, links: Links, what: tuple[int, int, int, str], repo: str | None, repos: list[Mention], context: Sequence[str]
    ) -> None:
        start, end, number, kind = what
        options = [repo] if repo else self._repos_for(start, end, repos) or list(context)
        shown = text[start:end]
        if options:
            tries = [f"{k}:{r.removeprefix('repo:')}#{number}" for r in options for k in ("pr", "issue")]
            there = self._existing(tries)
            keys = [there[t.lower()] for t in tries if t.lower() in there]
        else:
            keys = [str(r["key"]) for r in self._ask("by_number", number=number)]
        wanted = [k for k in keys if k.startswith(f"{kind}:")] if kind else keys
        keys = wanted or keys
        if not keys:
            links.unknown.append((shown, "no pull request or issue of that number"))
            links.mentions.append(Mention(start, end, shown, (), "", "nothing"))
            return
        self._add(links, Mention(start, end, shown, tuple(keys), schema.label_of(keys[0]), "number"))

    @staticmethod
    def _repos_for(start: int, end: int, repos: list[Mention]) -> list[str]:
        """The repository a number belongs to: the only one named, else the nearest."""
        if not repos:
            return []
        near = min(repos, key=lambda m: min(abs(m.start - end), abs(start - m.end)))
        return list(near.keys)

    def _shas(self, text: str, links: Links) -> None:
        for m in _SHA.finditer(text):
            rows = self._ask("commits_by_prefix", low=m[0], high=m[0] + "g")
            if rows:
                self._add(links, Mention(m.start(), m.end(), m[0], tuple(str(r["key"]) for r in rows), "Commit", "sha"))
            elif self._free(links, m.start(), m.end()):
                links.unknown.append((m[0], "no commit with that id"))

    # -- paths -------------------------------------------------------------------------------

    def _paths(self, text: str, links: Links, quoted: list[re.Match[str]], repos: list[str]) -> None:
        spots = {s: p for s, p in link_paths.spots(text, quoted).items() if self._free(links, *s) and self._repo_key(p) is None}
        if not spots:
            return
        found = self._finder.find(list(dict.fromkeys(clean(p) for p in spots.values())))
        for (start, end), raw in sorted(spots.items(), key=lambda kv: kv[0][0] - kv[0][1]):
            keys = found.get(clean(raw), [])
            if repos and len(keys) > 1:
                keys = [k for k in keys if _repo_of(k) in repos] or keys
            if keys:
                self._add(links, Mention(start, end, raw, tuple(keys), schema.label_of(keys[0]), "path"))
            elif looks_like_path(raw) and self._free(links, start, end) and not self._lex.get(raw):
                links.unknown.append((raw, "no such file or directory"))

    # -- names -------------------------------------------------------------------------------

    def _names(self, text: str, links: Links) -> list[Mention]:
        tokens = [m for m in _TOKEN.finditer(text) if self._free(links, m.start(), m.end())]
        out: list[Mention] = []
        i = 0
        while i < len(tokens):
            for n in range(min(_MAX_GRAM, len(tokens) - i), 0, -1):
                start, end = tokens[i].start(), tokens[i + n - 1].end()
                mention = self._name(text, start, end, n)
                if mention:
                    out.append(mention)
                    i += n
                    break
            else:
                i += 1
        return out

    def _name(self, text: str, start: int, end: int, n: int) -> Mention | None:
        raw = text[start:end]
        form = plain(raw).rstrip(".,;:?!")
        for spelling in (form, re.sub(r"['’]s?$", "", form), form.rstrip("s") if n > 1 else form):
            names = self._lex.get(spelling)
            if names:
                chosen = self._choose(names, text, start, end, spelling)
                if chosen:
                    keys = tuple(dict.fromkeys(c.key for c in chosen))
                    sure = chosen[0].how not in ("given", "term") or spelling not in COMMON
                    return Mention(start, start + len(raw), raw, keys, chosen[0].label, chosen[0].how, sure and chosen[0].how != "given")
        return None

    @staticmethod
    def _choose(names: list[Name], text: str, start: int, end: int, form: str) -> list[Name]:
        """The reading that fits the place: a repository before a person before a release before a concept."""
        raw = text[start:end]
        before, after = text[:start].lower().rstrip(), text[end:].lower().lstrip()
        by = {label: [n for n in names if n.label == label] for label in ("Repo", "Person", "Release", "Concept")}
        everyday = form in COMMON and " " not in form
        if by["Repo"]:
            cue = re.match(r"(?:repo|repository|project)\b", after) or re.search(
                r"(?:\b(?:repo|repository|in|of|for|on|from|to|the|across|and|between)|`|,|/)$", before
            )
            if not everyday or re.match(r"(?:repo|repository)\b", after) or re.search(r"\b(?:repo|repository)$", before):
                if cue or not by["Person"] or raw.startswith("`"):
                    return by["Repo"]
        if by["Person"]:
            weak = by["Person"][0].how == "given" or (form.isalpha() and len(form) < 4)
            by["Person"] = [n for n in by["Person"] if n.how == "login"] or by["Person"]
            if raw.startswith("@") or (not everyday and (not weak or raw[:1].isupper() or by["Person"][0].how == "login")):
                return by["Person"]
            if everyday and raw[:1].isupper() and start > 0 and by["Person"][0].how != "given":
                return by["Person"]
        if by["Repo"] and not everyday:
            return by["Repo"]
        if by["Release"] and (not form.isdigit() or re.search(r"\b(?:release|version|tag|in)$", before)):
            return by["Release"]
        return by["Concept"] if not everyday else []

    def _misspelt_repos(self, text: str, names: Sequence[Mention]) -> list[Mention]:
        """A word that is close to exactly one repository's name, where no repository is named."""
        out: list[Mention] = []
        for m in _TOKEN.finditer(text):
            word = re.sub(r"['’]s$", "", m[0]).rstrip(".'’")
            taken = any(m.start() < n.end and n.start < m.end() and n.label != "Concept" for n in names)
            if taken or plain(word) in COMMON or len(word) < 5 or word.isdigit() or is_plain(word):
                continue
            found = self._lex.nearest(word, "Repo", 85.0)
            if found:
                keys = tuple(dict.fromkeys(n.key for n in found))
                out.append(Mention(m.start(), m.start() + len(word), word, keys, "Repo", "spelling", sure=False))
        return out

    # -- titles and misspellings --------------------------------------------------------------

    def _titles(self, text: str, links: Links, quoted: list[re.Match[str]]) -> None:
        for m in quoted:
            i = next(i for i in range(1, 6) if m[i] is not None)
            phrase = m[i].strip()
            if len(phrase.split()) < 2 or not self._free_enough(links, m.start(i), m.end(i)):
                continue
            terms = query_terms(phrase)
            if not terms:
                continue
            rows = self._ask("titles", terms=terms, k=40)
            scored = sorted(((fuzz.ratio(plain(phrase), plain(str(r["title"]))), str(r["key"])) for r in rows), reverse=True)
            if scored and scored[0][0] >= 88:
                best = sorted(key for score, key in scored if score >= scored[0][0] - 1)
                links.mentions = [x for x in links.mentions if x.end <= m.start(i) or m.end(i) <= x.start]
                self._add(links, Mention(m.start(i), m.end(i), phrase, tuple(best), schema.label_of(best[0]), "title"))

    @staticmethod
    def _free_enough(links: Links, start: int, end: int) -> bool:
        return not any(m.start <= start and end <= m.end and m.how != "term" for m in links.mentions)

    def _misspelt(self, text: str, links: Links) -> None:
        """One word that is close to exactly one repository or login, where a name is expected."""
        for m in _TOKEN.finditer(text):
            word = m[0].rstrip(".'’").removeprefix("@")
            known = plain(word) in COMMON or not self._free(links, m.start(), m.end()) or len(word) < 5
            if known or not (m[0].startswith("@") or "-" in word or "_" in word or re.search(r"\d", word) or _named(text, m)):
                continue
            for label in ("Repo", "Person"):
                names = self._lex.nearest(word, label)
                if names:
                    keys = tuple(dict.fromkeys(n.key for n in names))
                    self._add(links, Mention(m.start(), m.end(), m[0], keys, label, "spelling", sure=False))
                    break
            else:
                if m[0].startswith("@"):
                    links.unknown.append((m[0], "nobody of that name"))

    def _strangers(self, text: str, links: Links) -> None:
        """A word that stands where a person must, and is neither a known name nor plain English."""
        for m in _ACTOR.finditer(text):
            word = next(g for g in m.groups() if g)
            start = m.start() + m[0].index(word)
            odd = re.search(r"\d|[-_]", word) or not is_plain(word)
            if odd and plain(word) not in COMMON and self._free(links, start, start + len(word)) and not self._lex.get(word):
                links.unknown.append((word, "nobody of that name is loaded"))

    def _narrow(self, links: Links) -> None:
        """Readings in the named repositories win over readings elsewhere."""
        repos = {k for m in links.of("Repo") for k in m.keys}
        for i, m in enumerate(links.mentions):
            if m.label in ("Release", "File", "Directory", "PullRequest", "Issue") and len(m.keys) > 1 and repos:
                kept = tuple(k for k in m.keys if _repo_of(k) in repos)
                links.mentions[i] = m = replace(m, keys=kept or m.keys)
            if len(m.keys) > 1:
                links.ambiguous.append(m)
        links.mentions = [m for m in links.mentions if m.keys]


def _named(text: str, m: re.Match[str]) -> bool:
    """A capitalised word inside a sentence, or one that a cue announces as a name."""
    before = text[: m.start()].rstrip().lower()
    inside = bool(before) and not before.endswith((".", "?", "!", ":"))
    cue = re.search(r"\b(?:repo|repository|in|of|by|from|does|did|has|is|to|with|for|and)$", before)
    return (m[0][:1].isupper() and inside) or bool(cue and re.match(r"\s*(?:repo|repository)\b", text[m.end() :]))


def _repo_of(key: str) -> str:
    """The repository key that an item, path or release key belongs to."""
    rest = key.partition(":")[2]
    return "repo:" + re.split(r"[#@]", "/".join(rest.split("/")[:2]))[0]
