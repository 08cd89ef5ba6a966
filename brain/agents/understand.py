"""What a question asks for: the type of answer, the relations its verbs name, and its filters.

No list of questions. Words are read by role (what is asked for, who did what, when, in which
state), so that any phrasing built from these roles is understood the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from brain.text.lexicon import Lexicon
from brain.text.linking import Links, Mention
from brain.text.timewords import TimeWords

_MASK = {"Person": "PERSON", "Repo": "REPO", "PullRequest": "ITEM", "Issue": "ITEM", "Commit": "COMMIT", "Release": "RELEASE", "File": "PATH", "Directory": "PATH", "Concept": "CONCEPT"}

ASPECTS: dict[str, str] = {
    "changes_requested": r"request(?:s|ed|ing)? (?:for )?changes|change requests?|changes? (?:were |was |been )?requested|ask(?:s|ed|ing)? for changes|push(?:es|ed|ing)? back|block(?:s|ed|ing)|reject(?:s|ed|ing)?",
    "approve": r"approv\w+|sign(?:s|ed|ing)?[ -]?off|lgtm|green[ -]?li(?:t|ghted)|thumbs[ -]up|\+1",
    "review": r"look(?:s|ed|ing)? at|(?<!code )review(?:s|ed|er|ers|ing)?\b|code reviews?|look(?:s|ed|ing)? over|inspect\w*|scrutini\w+|gave feedback|feedback on",
    "merge": r"merg(?:e|es|ed|ing|er|ers)\b|land(?:s|ed|ing)?\b|press(?:ed)? the (?:merge )?button|integrat(?:e|ed|es)",
    "comment": r"comment\w*|discuss(?:es|ed|ing|ion|ions)?|weigh(?:s|ed|ing)? in|chim\w+ in|repl(?:y|ies|ied)|participa\w+|took part|take part|debat\w+|conversation|talk(?:s|ed)? about it",
    "close": r"clos(?:e|es|ed|ing)\b|fix(?:es|ed|ing)?\b|resol(?:ve|ves|ved|ving|ution)\b|address(?:es|ed|ing)?\b|solv(?:e|es|ed|ing)\b|took care of|takes? care of|dealt with|deals? with|settl(?:e|es|ed)\b|fixer|remed\w+",
    "ship": r"ship(?:s|ped|ping)?\b|releas(?:e|es|ed|ing)\b|went out|go(?:es)? out|made it into|make it into|g[eo]t into|got in\b|includ(?:e|es|ed|ing)\b|contain(?:s|ed|ing)?\b|first (?:version|tag|draft)|carr(?:y|ies|ied)\b|deliver(?:s|ed)?\b|roll(?:s|ed)? out|available|publish\w*|part of|end(?:s|ed)? up in|appear(?:s|ed)?\b|tagged|come out|came out|bundl\w+|pick(?:s|ed)? up",
    "know": r"know(?:s|n|ing|ledge\w*|ledgeable)?\b|expert\w*|familiar\w*|go-?to\b|(?:should|could|can|do|would|to) (?:i|we|one|you)? ?(?:ask|talk|speak|turn|go|approach|consult|ping|contact|reach)\b|ask about|understand\w*|experience\w*|owners?\b|owns\b|who owned|responsible|maintain\w*|best person|right person|best suited|most qualified|in charge|expertise|point of contact|specialist\w*|has the context|have the context|should review|could review|good reviewers?|suitable reviewers?|best reviewers?|who could help|who can help|background in|worked (?:the )?most on|bus factor",
    "cochange": r"(?:chang|modif|touch|edit|mov|updat|evolv|altered|commit)\w*(?: \w+){0,3} (?:together|alongside|in tandem|in lockstep|along with|at the same time|jointly)|co-?chang\w*|coupl(?:ed|ing)|usually (?:changes?|changed|edited|touched|moves?) with|(?:often|frequently|usually|typically|tends? to|always)(?: \w+){0,3} (?:together|with PATH|alongside|as well)|travel\w* with|go(?:es)? (?:together|along)|turn(?:s|ed)? up (?:together|most)|go hand in hand|companion\w*|same (?:pull requests?|prs?|commits?|changes?) as",
    "touch": r"touch(?:es|ed|ing)?\b|chang(?:e|es|ed|ing)\b|modif\w+|edit(?:s|ed|ing)?\b|affect\w*|alter\w*|updat(?:e|es|ed|ing)\b|impact\w*|hit(?:s|ting)?\b|rework\w*|rewrit\w*|conflict\w*|collid\w*|in flight|under way|pending|work(?:s|ed|ing)? (?:on|in)|commit(?:s|ted|ting)? to|edit(?:or|ors)\b|interfer\w*|mess(?:es|ed)? with",
    "mention": r"mention\w*|refer(?:s|red|ring|ence|ences|enced|encing)?\b|cit(?:e|es|ed|ing|ation)\b|link(?:s|ed|ing)?\b|point(?:s|ed|ing)?\b|cross-?ref\w*|name(?:s|d)? in|relat(?:e|es|ed) to",
    "author": r"wrote|writ(?:e|es|ten|ing)\b|author(?:s|ed|ing|ship)?\b|creat(?:e|es|ed|or|ing)\b|rais(?:e|es|ed|ing)\b|submit(?:s|ted|ter|ting)?\b|propos(?:e|es|ed|er|ing)\b|sen[dt]s?\b|contribut\w+|open(?:ed|s|er|ing)\b|fil(?:ed|es|er|ing)\b|report(?:ed|er|s|ing)\b|implement\w*|made\b|make\b|produc\w+|behind\b|came up with|started|did\b.*\bopen\b|put (?:up|forward|in)|brought up|develop(?:ed|s|ing)\b|introduc\w+|commit(?:ted|ter|ters)\b",
    "assign": r"assign\w*",
    "revert": r"revert\w*|back(?:ed)? out|undid|undo(?:ne)?|roll(?:ed)? back",
}  # fmt: skip
_ASPECTS = {name: re.compile(rf"\b(?:{pattern})", re.I) for name, pattern in ASPECTS.items()}

_PERSON_NOUN = r"(?:people|persons?|reviewers?|authors?|contributors?|committers?|maintainers?|developers?|engineers?|commenters?|participants?|experts?|approvers?|colleagues?|folks|individuals?|users?|mergers?|members?|owners?|specialists?|teammates?|reporters?|editors?|implementers?|someone|somebody|anyone|anybody|everyone|everybody|logins?)"
_PR_NOUN = r"(?:prs?|pull[ -]?requests?|pulls|merge[ -]?requests?|mrs?|patch(?:es)?|changes|change|changesets?|fix|fixes|proposals?|contributions?)"
NOUNS: tuple[tuple[str, str], ...] = (
    ("change_requests", r"change requests?|(?:ask|request)(?:s|ed|ing)? (?:for )?changes|[\"'“]?changes[ _-]requested[\"'”]? reviews?|requests? for changes|changes[- ]requested reviews?"),
    ("approvals", r"approvals?|approving reviews?|sign-?offs?"),
    ("reviews", r"(?:code )?reviews|code review|(?<=\ba )review|(?<=\bone )review|(?<=\bevery )review|(?<=\bsingle )review|(?<=\beach )review"),
    ("comments", r"(?:review )?comments?|replies"),
    ("commits", r"commits?"),
    ("releases", r"releases?|versions?|tags?|drafts? revisions?|revisions?|(?<=which )drafts?|(?<=what )drafts?"),
    ("directories", r"director(?:y|ies)|folders?|subtrees?|areas?|modules?|components?"),
    ("files", r"files?|documents?|sources?"),
    ("repositories", r"repos?\b|repositor(?:y|ies)|projects?"),
    ("labels", r"labels?"),
    ("issues", r"issues?|tickets?|bugs?(?: reports?)?|problems?|reports?"),
    ("prs", _PR_NOUN),
    ("people", _PERSON_NOUN),
    ("items", r"items?|entries"),
    ("months", r"months?"),
    ("years", r"years?"),
    ("concepts", r"topics?|concepts?|terms?|subjects?"),
)
_NOUN = re.compile("|".join(rf"(?P<{name}>\b(?:{pattern})\b)" for name, pattern in NOUNS), re.I)

_COUNT = re.compile(
    r"(?<!\bby )(?<!by the )(?<!largest )(?<!greatest )(?<!highest )(?<!biggest )(?<!smallest )(?<!lowest )(?<!which )"
    r"(?:\b(?:how many|how much|(?:total )?number of|count of|how often|how frequently|how long is"
    r"|total (?:number|count|of)|total(?= (?:\w+ ){0,2}(?:prs?|pull requests?|issues?|reviews?|approvals?|comments?|commits?|releases?|tags?|files?)\b)|tally|what'?s the (?:total|count)|amount of|quantity of|in total|how large|how big)"
    r"|,\s*count(?:,? please)?\W*$|(?:^|[.?!;:]\s*|\b(?:please|and|then|just|to|can you|could you)\s+)count\b(?! (?:each|every|once|single|prs|pull requests)\b.*\bnot\b))",
    re.I,
)
_ASKS = r"(?:^|[.?!,;:(–-]\s*|\b(?:and|or|but|from|by|with|to|for|of|me|us|know|say|tell|show|name|list|then|so|exactly|did|say,?)\s+)"
_WHO = re.compile(rf"{_ASKS}(?P<who>who|whose|whom|who['’]?s)\b|\b(?P<by>by)\s*\?", re.I)
_WHEN = re.compile(rf"{_ASKS}when\b|\b(?:what (?:date|day|time)|which (?:date|day)|at what point|on (?:what|which) (?:date|day)|how long ago|since when)\b", re.I)
_WHY = re.compile(r"\b(why|what(?:'s| is| was| were)? the (?:reason|rationale|motivation|argument)s?|how come|what for|reason(?:ing)? behind|rationale)\b", re.I)
_YESNO = re.compile(r"^\s*(?:so,?\s+|and\s+|but\s+)?(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would)\b(?! (?:you|we) (?:tell|list|show|name|give|find|say))", re.I)
_WHICH = re.compile(r"\b(?:which|what|list|show(?: me)?|name|give(?: me)?|find(?: me)?|tell me|enumerate|identify|any|all|are there|is there|get|display)\b", re.I)
_MOST = re.compile(r"\b(most(?! recent)|top|biggest|highest|greatest|heaviest|busiest|leading|main|chief|primary|largest|maximum|number one|(?:is|are|comes?|came|ranks?|was|were) first|in first place|leads?|ahead|in front|more (?:.{1,40} )?than any(?:one|body)?)\b", re.I)
_LEAST = re.compile(r"\b(fewest|least|lowest|smallest|minimum|rarest|quietest)\b", re.I)
_NUMBER_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_N = r"(\d{1,3}|" + "|".join(_NUMBER_WORDS) + r")"
_TOP_N = re.compile(rf"\b(?:top|first|leading|best|main|biggest|busiest|last|latest|newest|oldest|earliest|most recent)[ -]{_N}\b|\b{_N} (?:most|top|biggest|busiest|best|leading|main|largest|latest|newest|oldest|recent|people|persons|reviewers|authors|contributors|experts|files|directories|repos|repositories|prs|pull requests|issues|labels|releases|commits)\b", re.I)
_GROUPS = (
    ("person", rf"(?<!by )(?:per|by(?! author date)|for each|for every|each|every|grouped by|broken down by|split by) (?:the )?(?:person|author|reviewer|contributor|people|developer|user|engineer|committer|merger|commenter)\b"),
    ("repository", r"(?:per|by|for each|for every|each|every|grouped by|broken down by|split by|across|in each|in every) (?:the |of the )?(?:repo|repository|repositories|repos|project)\b"),
    ("directory", r"(?:per|by|for each|each|grouped by|broken down by) (?:top-level )?(?:directory|folder|dir)\b"),
    ("label", r"(?:per|by|for each|each|grouped by|broken down by) label\b"),
    ("month", r"(?:per|by|for each|each|every|grouped by|broken down by|month by|in each) month\b|\bmonthly\b|month[- ]by[- ]month"),
    ("year", r"(?:per|by|for each|each|every|grouped by|broken down by|year by|in each) year\b|\byearly\b|\bannual(?:ly)?\b|year[- ]by[- ]year"),
    ("state", r"(?:per|by|for each|each|grouped by|broken down by) (?:state|status)\b"),
)  # fmt: skip
_STATES: tuple[tuple[str, str], ...] = (
    ("unmerged", r"closed (?:without|but not|and never|but never)(?: being| ever being)?(?: a)? merg\w*|clos\w+ without (?:being |a |ever )?(?:merg\w+|landing)|abandoned (?:prs?|pull requests?|changes)|(?:was|were|got|been) abandoned|reject(?:ed)?\b|closed,? (?:and|but) (?:not|un)[ -]?merged|(?:were|was|got) (?:closed|dropped) un-?merged|never (?:got |been |was |were )?(?:merged|landed|made it)|un-?merged|not (?:been |get |got )?merged|didn'?t (?:get merged|land|make it)|rejected (?:prs?|pull requests?)|declined|discarded|thrown away|given up\b|not been merged"),
    ("open", r"(?:not|n't) (?:yet )?(?:been )?closed|(?:still |currently |yet |were |was |is |are |remain(?:s|ed|ing)? |left |stood |stay(?:s|ed)? )?open\b(?!s)|outstanding|in flight|pending|unresolved|not yet (?:closed|merged)|awaiting|waiting to|under way|not been closed"),
    ("merged", r"\bmerged\b|\blanded\b|\baccepted\b|went in\b|got in\b|integrated\b"),
    ("closed", r"\bclosed\b|\bresolved\b|\bfinished\b"),
)  # fmt: skip
_ANY_STATE = re.compile(r"(?:open|merged|closed),? or (?:open|not|closed|merged|unmerged)|open and closed|(?:merged|closed) and open|both open|what(?:so)?ever (?:their |its |the )?(?:state|status)|(?:in|of) any state|regardless of (?:their |its |the )?(?:state|status)|any (?:state|status)|merged or not|open or not|no matter (?:whether|what|if)", re.I)
_WITHOUT_APPROVAL = re.compile(r"(?:nobody|no ?one|noone) (?:has |had |have |ever |yet )*(?:approv|sign)\w*|(?:gave|given|give|got|received|has|had|have) no approv\w+|(?:not|never|without) (?:ever |yet |actually )*approv\w+|without (?:any |a single |an |being |having been |ever being |getting |receiving (?:any |an )?|formal )*(?:approv\w+|sign-?off)|un-?approved|no (?:formal |recorded |single )?approv\w+|nobody (?:had )?approved|no one (?:had )?approved|lack\w* (?:an |any )?approv\w+|(?:not|never|weren'?t|wasn'?t) (?:been )?approved|zero approv\w+|missing (?:an )?approv\w+", re.I)
_WITHOUT_REVIEW = re.compile(r"without (?:any |a single |a |being |having been |ever being )*review\w*|un-?reviewed|no reviews?\b|nobody (?:had )?reviewed|no one (?:had )?reviewed|(?:not|never) (?:been )?reviewed", re.I)
_OTHERS = re.compile(r"\bown (?:prs?|pull requests?|ones|changes|work|patches)\b|other (?:people|person|author|contributor|developer)s?['’]?s?\b|somebody else'?s|(?:without|minus|not) (?:their|his|her|its) own|(?:prs|pull requests|work|changes) of others|others'|someone else'?s|(?:not counting|exclud\w+|ignoring|leaving (?:out|aside)|apart from|besides|except|other than|minus|disregarding) (?:\w+ ){0,2}(?:own|self|themselves|authors?)|non-?self|not their own|by (?:other people|others|someone (?:else|other))|on (?:other people|others)|self-reviews? (?:excluded|aside|don'?t count)|that (?:they|he|she) (?:did not|didn'?t) (?:write|author|open)", re.I)
_ONCE = re.compile(r"(?:most|largest number of|greatest number of|highest number of|many|by number of|number of) (?:\w+ ){0,3}?(?:prs?|pull requests?)\b|distinct|each (?:pr|pull request|issue|one) once|counting each (?:\w+ )?(?:pr|pull request)? ?once|different (?:prs?|pull requests?)|unique", re.I)
_BOTS = re.compile(r"includ\w+ (?:the )?bots|bots included|with bots|bots? (?:as well|too)|count(?:ing)? bots", re.I)
_CROSS = re.compile(r"(?:outside|beyond) (?:of )?(?:its|their|the) own|(?:other|another|different|foreign|outside|external) (?:repo\w*|project\w*)|cross-?repo\w*|across repo\w*|elsewhere|outside (?:of )?REPO|from REPO\d? (?:to|into)", re.I)
_BOTH = re.compile(r"\bboth\b|in common|common to|shared|overlap\w*|as well as|\band also\b|intersect\w*|at once|two repos", re.I)
_AND_ANY = re.compile(r"\b(?:label(?:l?ed|s)?|tagged|marked|carr(?:y|ies|ying)|with (?:the )?label)\b", re.I)
SPECIAL: tuple[tuple[str, str], ...] = (
    ("triage", r"triag\w*|possible duplicates?|likely duplicates?|duplicates? of|is (?:it|this|ITEM\d) a duplicate|similar issues?|issues? (?:similar|like)|(?:suggest|propose|recommend|pick) (?:\w+ ){0,2}(?:reviewers?|labels?|assignees?|people)"),
    ("connect", r"how (?:is|are|does|do|was|were) .{0,80}(?:connected|related|linked|tied|relate|connect)|(?:connection|link|path|relation(?:ship)?|chain) (?:between|from|that)|what (?:connects|links|ties|joins)|degrees of separation|anything to do with"),
    ("rank", r"(?:most )?(?:influential|central|pivotal|well-connected|important (?:people|reviewers?|person)|key (?:people|reviewers?|players?)|page ?rank|betweenness)|bridg\w+|bottleneck\w*|hold(?:s|ing)? .{0,20}together|connects? the (?:repos|repositories|projects)|clusters?\b|groups of files|communit(?:y|ies) of files"),
    ("activity", r"what(?:'s| is| has| have| was)?(?: been)? (?:happen\w*|going on|new|up|changed|occurr\w*)|what (?:went on|happened)|recent (?:activity|developments?|changes|work)|summar\w+ (?:of )?(?:the )?(?:activity|work|changes|last|what)|activity (?:in|of|on|for|by)|catch me up|overview of|state of (?:affairs|play)|busy (?:with|on)|up to\b(?! date)|been doing|working on (?:lately|recently|these days|now)|latest (?:news|work)"),
)  # fmt: skip
_SPECIAL = tuple((name, re.compile(rf"\b(?:{pattern})", re.I)) for name, pattern in SPECIAL)
_RECENT = re.compile(r"\b(?:latest|newest|most recent(?:ly)?|last|recent(?:ly)?)\b", re.I)
_FIRST = re.compile(r"\b(?:oldest|earliest|first|longest[- ]standing|original(?:ly)?)\b", re.I)
_ANY_OF = re.compile(r"\b(?:anything|something|everything|whatever|what(?:'s| is| was| were)?)\b", re.I)
_SELF_MERGED = re.compile(r"self-?merg\w*|merged (?:by )?(?:their|its|his|her) own (?:author|prs?|pull requests?|changes|work)|merged by (?:their|its|the) (?:own )?authors?(?: themselves| itself)?|authors? (?:themselves )?merged|merged (?:them|it) (?:themselves|himself|herself)", re.I)
_BOT_MADE = re.compile(r"\bby (?:a |the )?(?:bots?|programs?|automation|machines?)\b|\bbots?['’]? (?:prs|pull requests|commits|issues)\b|(?:from|of) bots\b", re.I)
_NOT_PLANNED = re.compile(r"not[ -]planned|won'?t[ -]?fix|wontfix", re.I)
_LARGEST = re.compile(r"(?:most|largest number of|greatest number of|highest number of) (?:changed |touched |modified )?files|(?:largest|biggest|widest) (?:pr|pull request|change|diff|patch)", re.I)
_DISCUSSED = re.compile(r"most (?:\w+ )?(?:comments?|commented|discuss\w*|replies)|longest (?:discussion|thread|debate)|most (?:debated|contested|talked)|liveliest", re.I)
_LEAST_N = re.compile(rf"\b(?:at least|no fewer than|minimum of|more than|over)\s+{_N}\b|\b{_N} or more\b|\b{_N}\+", re.I)


_UNASKED = re.compile(
    r"(?:\b(?i:how many|by how many)|(?:^|\b(?i:the|total|what is the|count the)\s+)(?i:number of))\s+(?!(?i:of|in|on|at|did|does|do|has|have|were|was|are|is|there|different|distinct)\b)(?P<count>(?:[\w-]+\s+){0,3}?)"
    r"(?=(?i:did|does|do|has|have|had|were|was|are|is|run|runs|use|uses|in|on|at|for|by|with|per)\b|[A-Z]+\d)"
    r"|(?:^|[.?!]\s+)(?i:whose)\s+(?P<whose>(?:[\w-]+\s+){1,3}?)(?=(?i:did|does|do|has|have|is|are|was|were|should|can|would|in|on|for|i|we)\b)"
)
_FUTURE = re.compile(r"\bwill\b.{0,60}\b(?:next|tomorrow|future|upcoming|soon|eventually)\b|^\W*(?:who|when|which \w+) will\b", re.I)
_OWNED_WORDS = re.compile(r"\b(?:work|code|reviews?|approvals?|prs?|pull|requests?|changes?|patch(?:es)?|issues?|tickets?|commits?|comments?|idea|proposal|name|merges?|contributions?|turn|job|side|opinion|feedback|times|loc|lines?)\b", re.I)


def unasked(masked: str) -> str:
    """A thing the question asks for that no organisation's repositories can tell, such as a phone number
    or customers; empty when what it asks for is known."""
    if _FUTURE.search(masked):
        return "what has not happened yet"
    much = re.search(r"\bhow much\b", masked, re.I)
    if much and not re.search(_NOUN.pattern, " ".join(masked[much.end() :].split()[:3]), re.I):
        return "amounts of that kind"
    for m in _UNASKED.finditer(masked):
        words = (m["count"] or m["whose"] or "").strip()
        if words and not _NOUN.search(words) and not _OWNED_WORDS.search(words) and not re.search(r"[A-Z]+\d", words):
            return words
    return ""


@dataclass(frozen=True)
class Place:
    """A repository or path a question names, with the words of its clause: the part people play there,
    whether only merged work counts, and whether the place is excluded."""

    key: str
    role: str
    merged: bool
    negated: bool
    at: int


_PLACE = re.compile(r"\b(?:REPO|PATH|THERE)\d+\b")
_THERE = re.compile(r"(?<!are )(?<!is )(?<!was )(?<!were )\bthere\b(?! (?:is|are|was|were|an?|any)\b)", re.I)
_NEGATED = re.compile(r"\b(?:not|none|never|without|no|nobody|but not|but none|other than|outside(?: of)?|except(?: for)?|excluding|besides|apart from|elsewhere than|rather than|beyond|lack\w*|missing|neither|anywhere but|everywhere but|minus|save for|leaving out|ignoring|disregarding|not counting|nothing|nowhere|but in|all but)\b(?:(?!RELEASE\d|PERSON\d|ITEM\d|PATH\d|REPO\d)[^,;.?]){0,60}$", re.I)


def _places(masked: str, names: dict[str, Mention]) -> tuple[Place, ...]:
    """Each place with the part played there, read from its own clause or else from the one before."""
    found: list[Place] = []
    masked = _THERE.sub("THERE0", masked)
    start, role, merged = 0, _part(masked) or "author", bool(re.search(r"\bmerged\b|\blanded\b", masked, re.I))
    marks = list(_PLACE.finditer(masked))
    for i, m in enumerate(marks):
        end = marks[i + 1].start() if i + 1 < len(marks) else len(masked)
        after = masked[m.end() : end] if i + 1 == len(marks) else ""
        clause = masked[start : m.start()]
        own = _part(clause) or (_part(after) if i == 0 and len(marks) == 1 else "")
        role = own or role
        if own:
            merged = bool(re.search(r"\bmerged\b|\blanded\b", clause, re.I))
        if m[0] == "THERE0":
            if found and (own or _NEGATED.search(clause)):
                found.append(Place(found[-1].key, role, merged, bool(_NEGATED.search(clause)), m.start()))
            start = m.end()
            continue
        found.append(Place(names[m[0]].keys[0], role, merged, bool(_NEGATED.search(clause)), m.start()))
        start = m.end()
    return tuple(found)


def _part(clause: str) -> str:
    """The part people play in a clause: reviewer, approver, merger, commenter, committer, author or opener."""
    for part, pattern in (
        ("approver", r"\bapprov\w+|sign\w*[ -]?off"), ("reviewer", r"\breview\w*"), ("commenter", r"\bcomment\w*"), ("merger", r"\bmerg(?:ers?|ing)\b|pressed"),
        ("committer", r"\bcommit\w*"), ("opener", r"\b(?:issues?|bugs?|tickets?)\b"),
        ("author", r"\bauthor\w*|\bwrote\b|\bwrit\w+|\bprs?\b|\bpull requests?\b|\bmerged\b|\blanded\b|\bcontribut\w+|\bpatch\w*|\bchang\w+"),
    ):  # fmt: skip
        if re.search(pattern, clause, re.I):
            return part
    return ""


@dataclass(frozen=True)
class Understanding:
    """The roles found in a question. `want` is the answer type: a noun of NOUNS, or count, date,
    text, yesno. `masked` is the question with every mention replaced by its kind and number."""

    question: str
    masked: str
    links: Links
    time: TimeWords
    want: str
    kind: str
    aspects: tuple[str, ...] = ()
    special: str = ""
    group: str = ""
    top: int = 0
    most: bool = False
    least: bool = False
    state: str = ""
    roles: dict[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    all_repos: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    tags: Mapping[str, tuple[str, str, int]] = field(default_factory=dict)
    milestone: str = ""
    minimum: int = 0

    def order(self, release: str) -> int:
        """When a release was published, for putting two in order."""
        return self.tags.get(release, ("", "", 0))[2]

    def has(self, *aspects: str) -> bool:
        """Does the question speak of any of these relations?"""
        return any(a in self.aspects for a in aspects)


def mask(question: str, mentions: Sequence[Mention], time: TimeWords) -> tuple[str, dict[str, Mention]]:
    """The question with mentions as PERSON0, REPO1, ... and time words taken out."""
    names: dict[str, Mention] = {}
    pieces: list[tuple[int, int, str]] = [(a, b, " ") for a, b in time.spans]
    for i, m in enumerate(x for x in mentions if x.label != "Concept"):
        name = f"{_MASK.get(m.label, 'THING')}{i}"
        names[name] = m
        pieces.append((m.start, m.end, name))
    text = question
    for a, b, name in sorted(pieces, reverse=True):
        text = text[:a] + name + text[b:]
    return text, names


def understand(question: str, links: Links, time: TimeWords, lexicon: Lexicon) -> Understanding:
    """Reads the roles of a question whose mentions and time words are known."""
    masked, names = mask(question, links.mentions, time)
    found_labels, masked = _labels(masked, lexicon.labels)
    milestone, masked = _milestone(masked, lexicon.milestones)
    aspects = tuple(name for name, pattern in _ASPECTS.items() if pattern.search(masked))
    special = next((name for name, pattern in _SPECIAL if pattern.search(masked)), "")
    aside = re.sub(r"\([^()]*\)", lambda m: " " * len(m[0]), masked)
    want, kind = _want(aside if re.search(r"[a-z]{3}", aside) else masked)
    group = next((name for name, pattern in _GROUPS if re.search(rf"\b{pattern}" if pattern[0] == "(" else pattern, masked, re.I)), "")
    top = _TOP_N.search(masked)
    state = "" if _ANY_STATE.search(masked) else next((name for name, pattern in _STATES if re.search(pattern, masked, re.I)), "")
    flags = {
        name
        for name, pattern in (
            ("without_approval", _WITHOUT_APPROVAL), ("without_review", _WITHOUT_REVIEW), ("others", _OTHERS), ("once", _ONCE), ("bots", _BOTS),
            ("self_merged", _SELF_MERGED), ("bot_made", _BOT_MADE), ("not_planned", _NOT_PLANNED), ("largest", _LARGEST), ("discussed", _DISCUSSED),
            ("cross", _CROSS), ("both", _BOTH), ("recent", _RECENT), ("first", _FIRST), ("when", _WHEN), ("why", _WHY), ("who", _WHO), ("count", _COUNT), ("often", _OFTEN),
        )
        if pattern.search(masked)
    }  # fmt: skip
    number = (top[1] or top[2] or "").lower() if top else ""
    return Understanding(
        question, masked, links, time, want, kind, aspects, special, group,
        int(number) if number.isdigit() else _NUMBER_WORDS.get(number, 0),
        bool(_MOST.search(masked)), bool(_LEAST.search(masked)), state, _roles(masked, names, kind), found_labels, frozenset(flags),
        tuple(_content(masked)), _places(masked, names), tuple(lexicon.repos.values()), tuple(str(m.lastgroup) for m in _NOUN.finditer(masked)), lexicon.tags, milestone, _minimum(masked),
    )  # fmt: skip


def _labels(masked: str, labels: dict[str, str]) -> tuple[tuple[str, ...], str]:
    """Issue labels named as labels: quoted or beside the word label, or tagged, or marked."""
    found: list[str] = []
    if not _AND_ANY.search(masked):
        return (), masked
    for low in sorted(labels, key=len, reverse=True):
        pattern = re.compile(rf"[`\"'“”]?(?<![\w-]){re.escape(low)}(?![\w-])[`\"'“”]?", re.I)
        spot = pattern.search(masked)
        cue = spot and _AND_ANY.search(masked[max(0, spot.start() - 40) : spot.end() + 24])
        if spot and cue:
            found.append(labels[low])
            masked = masked[: spot.start()] + "XLBL" + masked[spot.end() :]
    return tuple(found), masked


def _milestone(masked: str, milestones: Mapping[str, str]) -> tuple[str, str]:
    """The milestone a question names, and the question without it."""
    for low in sorted(milestones, key=len, reverse=True):
        spot = re.search(rf"[`\"'“”]?(?<![\w-]){re.escape(low)}(?![\w-])[`\"'“”]?", masked, re.I)
        if spot and ("milestone" in masked.lower() or len(low) > 8):
            return milestones[low], masked[: spot.start()] + " MILESTONE " + masked[spot.end() :]
    return "", masked


def _minimum(masked: str) -> int:
    """The least number a group must have, as in "three or more" or "more than 5"; 0 when none is named."""
    m = _LEAST_N.search(masked)
    if not m:
        return 0
    word = next(g for g in m.groups() if g).lower()
    n = int(word) if word.isdigit() else _NUMBER_WORDS[word]
    return n + 1 if re.match(r"more than|over", m[0], re.I) else n


_NOT_HEAD = re.compile(
    r"(?:\b(?:in|of|from|to|at|on|for|by|with|into|across|outside|inside|within|over|under|than|per|through|via|and|or|both|between|against|as)"
    r"(?: (?:the|a|an|any|all|each|every|own|other|another|its|their|his|her|our|same|that|this|new|merged|open|closed|two))*|\b(?:its|their|his|her) own)\s*$",
    re.I,
)
_IMPERATIVE = re.compile(r"\b(?:list|show(?: me)?|name|give(?: me| us)?|find(?: me| us| out)?|tell me|enumerate|identify|get(?: me)?|display|need|want|like to know|looking for|please)\b", re.I)


_VERBISH = frozenset({"changes", "change", "fix", "fixes", "reports", "reviews", "releases", "comments", "documents"})


def heads(masked: str) -> list[tuple[int, str]]:
    """The nouns that may be what is asked for: not those that a preposition or possessive makes a place."""
    masked = re.sub(r"cross-?repo\w*", lambda m: "x" * len(m[0]), masked, flags=re.I)
    found = list(_NOUN.finditer(masked))
    found = [m for i, m in enumerate(found) if not (i and found[i - 1].end() + 1 == m.start() and m[0].lower() in _VERBISH)]
    last = [m for m, after in zip(found, [*found[1:], None], strict=False) if after is None or masked[m.end() : after.start()] not in (" ", "-")]
    return [(m.start(), str(m.lastgroup)) for m in last if not _NOT_HEAD.search(masked[: _phrase_start(found, m)])]


def _phrase_start(found: list[re.Match[str]], m: re.Match[str]) -> int:
    """Where a compound such as "commit author" begins."""
    before = [f for f in found if f.end() + 1 == m.start()]
    return before[-1].start() if before else m.start()


def _want(masked: str) -> tuple[str, str]:
    """(answer type, the kind of thing asked about): the first of who, when, why, how many, or a noun
    asked for by which, what or an imperative decides."""
    nouns = heads(masked)
    every = [(m.start(), str(m.lastgroup)) for m in _NOUN.finditer(masked)]
    first = nouns[0][1] if nouns else every[0][1] if every else ""
    asked = _asked_noun(masked, nouns)
    found: list[tuple[int, str, str]] = []
    if count := _COUNT.search(masked):
        found.append((count.start(), "count", _counted(masked, count, nouns, every) or first))
    if why := _WHY.search(masked):
        found.append((why.start(), "text", first))
    if when := _WHEN.search(masked):
        found.append((when.start(), "date", first))
    if who := _WHO.search(masked):
        found.append((who.start(), "people", first if first != "people" else next((n for _, n in every if n != "people"), "people")))
    if asked:
        found.append((asked[0], asked[1], asked[1]))
    if found:
        return _first_of(sorted(found), masked)
    if polite := re.search(r"[?.!]\s*(?:just |only )?(?:the )?(\w[\w -]*?),? please\W*$", masked, re.I):
        noun = _NOUN.search(polite[1])
        if noun:
            return str(noun.lastgroup), str(noun.lastgroup)
    if _YESNO.search(masked):
        return "yesno", first
    if re.match(r"\s*(?:what|how|explain|describe|tell me about|summar\w+|where)\b", masked, re.I):
        return "text", first
    return (first, first) if nouns and not _narrative(masked, nouns[0][0]) else ("text", first)


_SUBJECT = re.compile(r"\W*(?:\w+\s+){0,2}?(?:tickets?|issues?|bugs?|prs?|pull requests?|commits?|reviewers?|authors?|releases?|tags?)\b", re.I)


def _narrative(masked: str, at: int) -> bool:
    """A description without a question word whose first kind of thing comes late: it describes, it does not ask for it."""
    before = masked[:at]
    return len(before.split()) > 3 and not _SUBJECT.match(masked) and not re.search(r"\b(?:REPO|PERSON|PATH|ITEM|RELEASE)\d", before)


_OFTEN = re.compile(r"\b(?:how often|how frequently|how many times|how long)\b", re.I)


def _counted(masked: str, count: re.Match[str], nouns: list[tuple[int, str]], every: list[tuple[int, str]]) -> str:
    """What a count phrase counts: the noun right behind it, else the next head, else the last before it."""
    near = next(((at, n) for at, n in every if at >= count.end() - 1), None)
    if near and len(masked[count.end() : near[0]].split()) <= 3 and not _OFTEN.search(masked):
        return near[1]
    if _OFTEN.search(masked):
        return next((n for at, n in nouns if at >= count.end() and n in EVENTS), "")
    after = next((n for at, n in nouns if at >= count.end() - 1 and n in EVENTS), "")
    return after or next((n for at, n in reversed(nouns) if at < count.start()), "")


EVENTS = ("change_requests", "approvals", "reviews", "comments", "commits", "releases", "issues", "prs", "files", "people", "repositories", "directories", "labels")


def _first_of(found: list[tuple[int, str, str]], masked: str) -> tuple[str, str]:
    """The first asker wins, except that an imperative with a noun later overrides who ("give me the issues"),
    and a yes/no question that goes on with which is a which question."""
    at, want, kind = found[0]
    later = [f for f in found[1:] if f[1] not in ("count", "text", "date", "people")]
    ranked = [f for f in found[1:] if f[1] not in ("count", "text", "date")]
    if want == "count" and ranked and re.search(r"[:,;]\s*(?:\w+\s+){0,2}$", masked[: ranked[0][0]]):
        return ranked[0][1], kind if ranked[0][1] == "people" else ranked[0][2]
    if want == "date" and later and re.match(r"\s*when\b[^?]*,", masked, re.I):
        return later[0][1], later[0][2]
    if want in ("people", "text", "date") and later:
        rest = masked[at:]
        command = re.search(r"[.?!:;]\s*(?:give|list|show|name|i (?:need|want))\b", rest, re.I)
        exact = re.search(r"(?:i\.?e\.?,?|that is,?|namely) (?:in )?(?:what|which)\b", rest, re.I)
        if command or exact:
            return later[0][1], later[0][2]
    if want == "people" and kind == "people":
        kind = "people"
    return want, kind


def _asked_noun(masked: str, nouns: list[tuple[int, str]]) -> tuple[int, str] | None:
    """The noun that which, what or an imperative asks for, with where the asking starts."""
    for m in re.finditer(rf"\b(?:which|what|whichever|any|all(?: the)?|are there|is there|were there|was there)\b|{_IMPERATIVE.pattern}", masked, re.I):
        after = [(at, n) for at, n in nouns if at >= m.end()]
        if not after:
            continue
        between = masked[m.end() : after[0][0]]
        broken = re.search(r"\b(?:is|are|was|were|did|does|do|has|have|had|about|that|who|whose|when|why|how|where|which|what|if|whether)\b|[?;]|PERSON\d", between, re.I)
        if len(between.split()) <= 6 and not broken:
            return m.start(), after[0][1]
    said = re.search(r"\bwhat (?:is|was|are|were) (?:the|that) (?!number|name|title|state|status|reason|point)", masked, re.I)
    if said:
        behind = next(((at, n) for at, n in nouns if at >= said.end()), None)
        if behind and len(masked[said.end() : behind[0]].split()) <= 3 and re.match(r"\w+ (?:that|which|where|who|whose|about|on|in which|with|for|from|asking|proposing|to)\b", masked[behind[0] :]):
            return said.start(), behind[1]
    return None


_ROLE_VERBS = (
    ("reviewer", r"review\w*|approv\w+|sign\w*[ -]?off|request\w* changes|ask\w* for changes|look\w* over|block\w*"),
    ("merger", r"merg\w+|land\w*"),
    ("commenter", r"comment\w*|repl\w+|discuss\w*|weigh\w* in|chim\w+ in|participa\w+"),
    ("assignee", r"assign\w*"),
    ("author", r"wrote|writ\w+|author\w*|creat\w+|rais\w+|submit\w*|propos\w+|sen[dt]\w*|contribut\w+|open\w*|fil\w+|report\w*|made|mak\w+|commit\w*|touch\w*|chang\w+|modif\w+|edit\w*|work\w*|fix\w*|clos\w+|did|implement\w*|introduc\w+|start\w*|push\w*|ship\w*|put|land\w*"),
)


def _roles(masked: str, names: dict[str, Mention], kind: str) -> dict[str, str]:
    """Placeholder of each person -> the part they play: reviewer, merger, commenter, assignee, author."""
    roles: dict[str, str] = {}
    for name in names:
        if not name.startswith("PERSON"):
            continue
        joined = next((other for other in roles if re.search(rf"{other}\s*(?:,|and|or|&|, and|as well as|plus)\s+{name}\b", masked)), None)
        roles[name] = roles[joined] if joined else _role(masked, name, kind)
    return roles


def _role(masked: str, name: str, kind: str) -> str:
    own = re.search(rf"{name}(?:['’]s?)\s+(?:\w+\s+){{0,2}}?(reviews?|approvals?|comments?|merges?|change requests?|prs?|pull requests?|pulls|patches|changes|work|issues?|commits?|contributions?|code)\b", masked, re.I)
    if own:
        word = own[1].lower()
        return "reviewer" if word.startswith(("review", "approval", "change request")) else "commenter" if word.startswith("comment") else "merger" if word.startswith("merge") else "author"
    for role, verbs in _ROLE_VERBS:
        if re.search(rf"\b(?:{verbs})\s+(?:(?:only|also|mostly|mainly|jointly|then|later|once|ever)\s+)?by\s+(?:the\s+|both\s+|either\s+)?{name}\b", masked, re.I):
            return role
    given = re.search(rf"\b(reviews?|approvals?|comments?|change requests?)\s+(?:\w+\s+)?(?:by|from|of)\s+(?:the user )?{name}\b", masked, re.I)
    if given and not re.search(rf"\b(?:reviews?|approvals?|comments?) of {name}(?:['’]s)?\s+(?:prs?|pull|work|changes|patches)", masked, re.I):
        return "commenter" if given[1].lower().startswith("comment") else "reviewer"
    if re.search(rf"\b(?:prs?|pull requests?|pulls|patches|changes|issues?|commits?|tickets?|work|contributions?)\s+(?:\w+\s+)?(?:by|from|of)\s+(?:the user )?{name}\b", masked, re.I):
        return "author"
    best: tuple[int, str] = (10_000, "")
    for role, verbs in _ROLE_VERBS:
        for m in re.finditer(rf"\b{name}\b\s+((?:has|have|had|ever|also|once|actually|already|been|recently|most|often|frequently|mainly|still|personally|not|did|does|do)\s+){{0,3}}(?:{verbs})\b", masked, re.I):
            best = min(best, (len(m[0]), role))
        for m in re.finditer(rf"\b(?:did|does|do|has|have|had|was|is|can|would)\s+{name}\b\s+(?:\w+\s+){{0,2}}?(?:{verbs})\b", masked, re.I):
            best = min(best, (len(m[0]), role))
    if best[1]:
        return best[1]
    if re.search(rf"(?:assigned to|given to)\s+{name}", masked, re.I):
        return "assignee"
    if kind in ("reviews", "approvals", "change_requests"):
        return "author" if re.search(rf"(?:on|of|to|for|received (?:on|by)|get|got|receiv\w+)\s+{name}|{name} (?:get|got|receiv\w+)", masked, re.I) else "reviewer"
    if kind == "comments":
        return "commenter"
    return "author"


_FUNCTION = frozenset(
    """a an the of in on at to for from by with and or but not no is are was were be been being do does did done has have had i we you
    they he she it its this that these those there here which what who whose whom when where why how many much any all each every some
    can could should would will may might must please tell me us show list name give find about into onto over under between among
    as than then so such if my our your their his her them one ones also ever just only most more least fewest top first last latest
    up out off down there's what's who's s t re ve ll d m get got make made say says said if""".split()
)


def _content(masked: str) -> list[str]:
    """The words that are neither mentions, grammar, kinds of things nor relations: what it is about."""
    bare = _NOUN.sub(" ", masked)
    bare = re.sub(r"\b(?:PERSON|REPO|ITEM|COMMIT|RELEASE|PATH|THING)\d+\b|\bXLBL\b|\bmilestone\b", " ", bare)
    for pattern in (_COUNT, _WITHOUT_APPROVAL, _OTHERS, _TOP_N, _MOST, _LEAST, _FIRST, _RECENT, _SELF_MERGED, _BOT_MADE, _NOT_PLANNED, _LARGEST, _DISCUSSED, _LEAST_N, _ANY_STATE):
        bare = pattern.sub(" ", bare)
    return [w for w in re.findall(r"[\w-]+", bare.lower()) if w not in _FUNCTION and len(w) > 1]
