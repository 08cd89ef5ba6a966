"""What a company names beside its repositories: services, teams, documents, decisions, rules, tickets, alerts.

A name that is also an everyday word, a title, or a repository's name counts only where the words around it ask for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.text.analysis import query_terms
from brain.text.lexicon import COMMON, Lexicon, Name
from brain.text.link_paths import quoted_in, spots
from brain.text.mentions import Links, Mention, Stock

RUNS = ("Service", "System", "Api", "Resource", "Module", "Domain", "Project")
TITLED = ("Decision", "Rule", "Doc")
COMPANY = ("Service", "Team", *RUNS[1:], "Role", "Channel", *TITLED, "Ticket", "Deploy", "Alert", "Incident")

_ID = re.compile(r"(?<![\w/#.@-])([A-Za-z][A-Za-z0-9]{1,9})-(\d{1,7})(?![\w-])")
_TOKEN = re.compile(r"(?<![\w/#.@-])(?=[\w.-]*\d)[A-Za-z0-9][\w.-]{4,80}\w(?![\w/-])")
_CAMEL = re.compile(r"\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*){1,8}\b")
_NUMBERED = re.compile(r"\b(?:adrs?|decision(?: record)?s?|madr)\s*(?:number|no\.?|nr\.?)?\s*[#:_-]?\s*0*(\d{1,5})\b", re.I)
_ALSO_NUMBERED = re.compile(
    r"\s*(?:,|and|or|&|by|with|than|versus|vs\.?)\s*[#-]?0*(\d{1,5})\b(?!\s*(?:hours?|days?|weeks?|months?|years?|%))", re.I
)
_CHANNEL = re.compile(r"(?<![\w&/])#([a-z][\w-]{1,79})\b", re.I)
_NO_IDS = "utf sha iso rfc http https tls ssl ipv cve md5 x86 base aes rsa utc gmt h2 h3 covid top level v pr q"
_NOT_IDS = frozenset(_NO_IDS.split())
_SAID_TO_BE = re.compile(r"\b(?:tickets?|incidents?|alerts?|deploy(?:ment)?s?|case|task|jira)\s*(?:number|no\.?|nr\.?|id)?\s*$", re.I)

# Words about what runs and who answers for it; a name of both a repository and a service then means the service.
_ABOUT_RUNNING = re.compile(
    r"\b(?:services?|depend\w*|rel(?:y|ies)\b|downstream|upstream|break\w*|broke\w*|outages?|down\b|crash\w*|on[- ]call|on duty"
    r"|pag(?:e|ed|er|ing)\b|own(?:s|ed|er|ers|ership|ing)?\b|responsible|accountable|in charge|tech(?:nical)? leads?|leads? (?!to)"
    r"|deploy\w*|roll(?:ed|ing)? ?(?:back|out)"
    r"|alert\w*|incidents?|affected|impact\w*|restart\w*|escalat\w*|tickets?|runbooks?|production|which team|answers? for|blast|tier)",
    re.I,
)
_ABOUT_CODE = re.compile(
    r"\b(?:repos?|repositor\w+|prs?|pull[ -]?requests?|commits?|merg\w+|branch\w*|review\w*|code ?owners|issues?|tags?|releases?"
    r"|authors?|authored|files?|director\w+|co-?chang\w*|code|codebase|comment(?:s|ed|ing|ers?)?|contribut\w+|forks?|stars?|readme|labels?|milestones?)\b",
    re.I,
)
_ABOUT_TEAMS = re.compile(
    r"\b(?:teams?|squads?|groups?|crews?|members?|belongs? to|on[- ]call|on duty|shift|pag(?:e|ed|er)\b|own(?:s|ed|er|ers|ership)?\b"
    r"|responsible|leads?|led by|manage\w*|join(?:s|ed)?|left|moved|appl(?:y|ies) to"
    r"|rota|escalat\w*|works? (?:in|on|for)|rules?|services?|tickets?)\b",
    re.I,
)
_KIND = {
    "Service": r"(?:micro-?)?services?|components?|apps?|applications?|daemons?|websites?|librar(?:y|ies)|workers?",
    "Team": r"teams?|squads?|groups?|crews?|tribes?|guilds?|folks|people|engineers|members?|department",
    "System": r"systems?",
    "Api": r"apis?|interfaces?|endpoints?",
    "Resource": r"resources?|databases?|db|buckets?|queues?|vaults?|caches?|clusters?",
    "Module": r"modules?|components?",
    "Domain": r"domains?|areas?",
    "Project": r"projects?",
    "Role": r"roles?|titles?",
    "Channel": r"channels?",
    "Doc": r"runbooks?|playbooks?|guides?|docs?|documents?|documentation|pages?|polic(?:y|ies)|sops?|procedures?|notices?"
    r"|regist(?:ry|er|ries)|handbooks?|post-?mortems?|minutes|notes?|specs?|reports?|manuals?",
    "Decision": r"adrs?|decisions?(?: records?)?|architecture decisions?",
    "Rule": r"rules?",
}
_AFTER = {label: re.compile(rf"\W{{0,3}}(?:{kind})\b", re.I) for label, kind in _KIND.items()}
_BEFORE = {
    label: re.compile(rf"\b(?:{kind})(?:\s+(?:called|named|for|on|about|of|titled))?(?:\s+(?:the|a|an))?\W{{0,3}}$", re.I)
    for label, kind in _KIND.items()
}


def link_things(text: str, links: Links, stock: Stock) -> None:
    """Adds what ids, numbers, paths of documents, alert names and channel names name; an id that nothing has is unknown."""
    lexicon = stock.lexicon
    if not lexicon.company:
        return
    _link_decisions(text, links, lexicon)
    for match in _CHANNEL.finditer(text):
        keys = [n.key for n in lexicon.get(match[1]) if n.label == "Channel"]
        links.add(Mention(match.start(), match.end(), match[0], tuple(keys), "Channel", "name"))
    for (start, end), raw in spots(text).items():
        known = lexicon.get(raw.removesuffix(".md")) or lexicon.get(raw)
        keys = [n.key for n in known if n.label in ("Doc", "Decision") and n.how == "path"]
        docs = tuple(k for k in keys if k.startswith("doc:")) or tuple(keys)
        links.add(Mention(start, end, raw, docs, lexicon.company[docs[0]] if docs else "", "document"))
    _link_ids(text, links, stock)


def _link_decisions(text: str, links: Links, lexicon: Lexicon) -> None:
    """Decisions by their number: ADR-7, ADR 0007, decision 7 and 9."""
    for match in _NUMBERED.finditer(text):
        found: list[tuple[int, int, int]] = [(match.start(), match.end(), int(match[1]))]
        at = match.end()
        while more := _ALSO_NUMBERED.match(text, at):
            found.append((more.start(1), more.end(1), int(more[1])))
            at = more.end()
        for i, (start, end, number) in enumerate(found):
            keys = _fitting([n.key for n in lexicon.get(f"decision #{number}") if n.label == "Decision"], text, lexicon)
            if keys:
                links.add(Mention(start, end, text[start:end], tuple(keys), "Decision", "decision"))
            elif i == 0 and links.free(start, end):
                links.missing(text[start:end], "no decision of that number is loaded", start, end)


def _fitting(keys: list[str], text: str, lexicon: Lexicon) -> list[str]:
    """Of decisions with one number, those of whose title or path the text has most."""
    if len(keys) < 2:
        return keys
    asked = set(query_terms(text))
    shared = {k: len(asked & set(query_terms(re.sub(r"[-_/.:]", " ", f"{lexicon.titles.get(k, '')} {k}")))) for k in keys}
    best = max(shared.values())
    return [k for k in keys if shared[k] == best]


def _link_ids(text: str, links: Links, stock: Stock) -> None:
    """Tickets, deployments, alerts and incidents, by id, by fingerprint, by the name of an alert or a quoted title."""
    stretches = {m.span(): m[0] for pattern in (_ID, _TOKEN, _CAMEL) for m in pattern.finditer(text)}
    stretches |= {(start, end): raw.strip() for start, end, raw in quoted_in(text)}
    stretches = {span: raw.rstrip(".") for span, raw in stretches.items() if links.free(*span)}
    if not stretches:
        return
    rows = stock.ask("things_named", names=sorted({raw.lower() for raw in stretches.values()}))
    named: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        for form in row["forms"]:
            named.setdefault(str(form), []).append((str(row["key"]), str(row["label"])))
    for (start, end), raw in sorted(stretches.items(), key=lambda s: s[0][0] - s[0][1]):
        found = named.get(raw.lower(), [])
        if found:
            label = found[0][1]
            links.add(Mention(start, end, raw, tuple(dict.fromkeys(k for k, kind in found if kind == label)), label, "id"))
        elif _is_id(text, start, raw, stock) and links.free(start, end) and not stock.lexicon.get(raw):
            links.missing(raw, "nothing of that id is loaded", start, end)


def _is_id(text: str, start: int, raw: str, stock: Stock) -> bool:
    """Is it written so that a ticket, incident or the like must be meant: called so, or numbered as others are?"""
    match = _ID.fullmatch(raw)
    if not match or match[1].lower() in _NOT_IDS:
        return False
    begins = [f"{kind}:{match[1].upper()}-" for kind in ("ticket", "incident")]
    return bool(_SAID_TO_BE.search(text[:start]) or stock.ask("ids_begun", begins=begins))


def called_by_kind(form: str, lexicon: Lexicon) -> list[Name]:
    """What "basket API" means beside a service or repository basket-api: the interface named basket, if there is one."""
    head, _, kind = form.rpartition(" ")
    labels = [label for label in RUNS if head and re.fullmatch(_KIND[label], kind)]
    whole = lexicon.get(form) or lexicon.get(form.replace("-", " ")) or lexicon.get(form.replace(" ", "-"))
    if not labels or not whole or any(n.label in ("Rule", "Decision") for n in whole):
        return []
    return [n for n in whole if n.label in labels] or [n for n in lexicon.get(head) if n.label in labels]


def thing_meant(names: Sequence[Name], text: str, start: int, end: int, form: str) -> list[Name]:
    """The service, team, document or the like that a stretch of the text means; empty when something else may be meant."""
    before, after = text[:start], text[end:]
    called = [n for n in names if _AFTER.get(n.label, _NOTHING).match(after) or _BEFORE.get(n.label, _NOTHING).search(before)]
    if any(n.label in (*RUNS, "Team") for n in names) and _ON_SUBJECT.search(before):
        called = [n for n in called if n.label != "Doc"]
    raw = text[start:end]
    if _ON_DUTY.search(text[:end]) and raw.islower():
        return []
    quoted = before.endswith(_OPENING) and after[:1] in _CLOSING
    everyday = form in COMMON and " " not in form and "-" not in form
    for label in COMPANY:
        fits = [n for n in called if n.label == label]
        if fits and (quoted or label not in TITLED or raw[:1].isupper() or not _A_VERB_TOO.match(after)):
            return fits
    for label in COMPANY:
        fits = [n for n in names if n.label == label]
        if fits and (quoted or _fits(label, raw, form, text, start, everyday)):
            return fits
    return []


_ABOUT_ROLES = re.compile(r"\b(?:who|whom|whose|roles?|titles?|jobs?|positions?|hold\w*|as|our|acts?)\b", re.I)
# What somebody is to a thing or team, as well as the title of a role: it means the former unless it is called a role.
_PARTS = frozenset(
    {"technical lead", "tech lead", "team lead", "technical leads", "tech leads", "lead engineer", "code owner", "service owner"}
)
_NOTHING = re.compile(r"(?!)")
_ON_DUTY = re.compile(
    r"(?<!depend )(?<!depends )(?<!depending )(?<!rely )(?<!relies )(?<!relying )(?<!rest )(?<!rests )(?<!built )(?<!stands )\bon"
    r" (?:(?:the )?(?:duty|call|watch|shift|pager)|the (?:rota|roster))$", re.I
)
# A document about something is not the document that has the thing's name.
_ON_SUBJECT = re.compile(r"\b(?:for|on|about|of)(?:\s+(?:the|a|an))?\W{0,3}$", re.I)
# "People report to somebody" names no report.
_A_VERB_TOO = re.compile(r"\W{0,3}(?:reports?|notes|notices?|pages?|guides?|documents?|minutes) (?!of\b|about\b|on\b)", re.I)
_OPENING, _CLOSING = ('"', "\u201c", "`", "'", "\u2018"), ('"', "\u201d", "`", "'", "\u2019")


def _fits(label: str, raw: str, form: str, text: str, start: int, everyday: bool) -> bool:
    """May such a name stand for the thing without a word that calls it one?"""
    words = len(form.split())
    capital = raw[:1].isupper() and bool(text[:start].strip())
    if label in ("System", "Domain", "Project") and words == 1 and "-" not in form:
        return capital or (bool(_ABOUT_RUNNING.search(text)) and not everyday)
    if label in RUNS:
        return not everyday or (capital and len(raw) > 2)
    if label == "Team":
        return capital or (not everyday and ("-" in form or words > 1 or bool(_ABOUT_TEAMS.search(text))))
    if label == "Role":
        return form not in _PARTS and (words > 1 or "-" in form) and bool(_ABOUT_ROLES.search(text))
    if label == "Channel":
        return words > 1 or "-" in form
    if label == "Rule":
        return words > 1
    alone = text[:start].rstrip().endswith(":") and not text[start + len(raw) :].strip(" ?.!")
    return words > 2 or ((capital or alone) and words > 1) or "/" in form


def repository_meant(text: str) -> bool:
    """Of a repository and a service of one name, does the question mean the repository? Only where it speaks of code."""
    return bool(_ABOUT_CODE.search(text))
