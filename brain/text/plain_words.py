"""English words and habits of writing that name nothing by themselves. Not a dictionary of concepts."""

from __future__ import annotations

from brain.text.analysis import STOP_WORDS


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What stands before a noun phrase.
BEFORE_NOUNS = _set(
    """a an the this that these those any each every no some its their our your my his her of for in on with without
    by via during from between per about using into over under and or as when if both all"""
)
STOPS = STOP_WORDS | BEFORE_NOUNS | _set("cannot doesn isn won wouldn shouldn couldn didn aren wasn hasn haven ain let lets etc eg ie vs")
# What stands before a verb.
BEFORE_VERBS = _set("to will would should could can may might must shall not cannot we you i they it don doesn didn let lets please also")
# Adjectives and the like that tell one thing from another but do not name it.
QUALIFIERS = _set(
    """new old same different current first second third last next previous following existing another many multiple
    single specific possible various certain several additional similar simple small large big whole entire general main
    real actual extra good better best bad worse wrong right correct sure like long short full empty high low early late
    two three four five six ten few much less least enough only such own available necessary clear explicit
    important little great nice minor major common particular potential recent initial final proposed above below
    always never often still already maybe perhaps actually really currently basically probably usually however
    instead well too yet again later earlier together away back around anything everything something nothing someone
    given separate sending receiving containing including returning using maximum minimum unused added removed anymore alive
    confusing carrying anyone everyone thanks thank hi hello yes ok okay sorry lgtm"""
)
# Nouns that point at the conversation or stand for anything.
POINTERS = _set(
    """thing way lot kind sort reason sense issue pr pull question comment example sentence paragraph text wording
    case point idea people person someone day week month year today tomorrow yesterday typo nit fix change
    update suggestion discussion opinion thought problem need look fine place something anything part
    section figure appendix table draft note todo author editor reviewer repo repository
    title description review feedback agreement consensus rest comment meeting"""
)
# Nouns too general to be a concept alone; with another word they are welcome.
GENERAL = _set(
    """value name side group list item number type size field definition implementation file error code set use user
    function object result data process state behavior behaviour version information example message support system
    content method parameter argument option default format request response server client application project team time other"""
)
SHOUTED = _set(
    """todo fixme wip lgtm iirc afaik afaict afaics imo imho fwiw btw fyi ptal tbd tbh tldr nit pr prs iiuc ok ymmv asap
    aka etc eg ie vs must should shall may required recommended optional not note warning important tip xxx nb re cc
    am pm dr mr ms id ids ii iii iv vi na ps ot"""
)
CALENDAR = _set(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december jan feb mar apr jun jul aug sep sept oct nov dec english latin"""
)
LITERALS = _set("true false null none nil undefined void int string bool float char self this return const var let")
PARTICLES = _set("non re pre un co sub well so up in on out off all no one two self multi semi ex anti")
# Folders, labels and commit types that say what sort of thing it is, in any project.
FOLDERS = _set(
    """src lib test tests testing spec specs doc docs documentation include includes bin build dist example examples
    script scripts tool tools vendor third_party thirdparty node_modules assets static public resources config configs
    internal pkg cmd app main common core util utils helper helpers misc img images fixtures data tmp samples
    code guide guides progress sample contrib old new archive github gitlab circleci vscode m4 templates"""
)
LABELS = frozenset(
    """bug|enhancement|question|help wanted|good first issue|wontfix|duplicate|invalid|documentation|feature|
    feature request|stale|needs triage|triage|in progress|blocked|wip|ready for review|has pr|needs review|todo|done|
    backlog|priority|high|medium|low|p0|p1|p2|p3|critical|major|minor|discussion|open|closed|fixed""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)
COMMIT_TYPES = _set("feat fix fixes fixed chore docs doc style refactor perf test tests build ci revert wip bug hotfix release deps bump")
