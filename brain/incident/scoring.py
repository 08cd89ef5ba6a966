"""How likely each change is to have caused an alert, in points that are natural logarithms of odds; and every point with its
reason. The numbers stand in this room and nowhere else.

Time: how much denser causes lie at such a distance before an alert than changes do there anyway, at the pace of the last two
months. Everything else adds to or takes from that. "Nothing found" is a rival of its own with `NOTHING` points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from brain.agents.wording import minute
from brain.incident import harmless, quantities
from brain.incident.changes import TRIALS, Change, Part
from brain.incident.evidence import Evidence, Ruling
from brain.incident.findings import Reason
from brain.incident.symptoms import prose, standing, written
from brain.text.analysis import terms
from brain.types import Quote

NOTHING = -0.5  # of five alerts that people look into, about three go back to a change that is on record
NAMED, CAUSE = 0.1, 0.5
# What a change needs alone, what counts as more than time and place, what as clear, and what time alone must give to count as near.
BARE, TOLD, CLEAR, CLOSE = 0.0, 0.5, 1.0, 1.5
QUICK, SLOW, SHARE_QUICK = 2 * 3600.0, 8 * 3600.0, 0.4
DISTANCE = (0.0, -0.1, -0.2, -0.3)
NEAR, PER_COSINE, NEAREST = 0.12, 10.0, 0.8  # fitted with QUICK, SLOW and DISTANCE on 80 alerts of an invented company
NEW = ("contained", "merged_between")
AGAINST = ("texts_only", "rolled_back", "same_version", "not_running", "went_on", "not_its_code")
SOON = 45 * 60
NEARBY = 0.5  # a past incident less like this one counts only for what its report says
WENT_ON = 5 * 60
MODIFIED, RULED, RULE_BROKEN, SAME_PAST, LIKE_PAST = 2.5, 1.2, 3.0, 1.5, 1.5
HARMLESS, ROLLED_BACK, WENT_ON_POINTS, ENDED = -4.5, -6.0, -4.0, 3.0
ENDED_ANYWAY = -1.0
NOT_RUNNING, SAME_VERSION, ELSEWHERE, UNDEPLOYED, UNDOES, UNSAID, NOT_ITS = -6.0, -4.5, -2.5, -0.7, -3.0, -2.0, -3.0

SUBJECT = 0.12  # how telling the words must be that an amount and a bound share: two of the house's own, or one rare one


def reasons(change: Change, e: Evidence) -> list[Reason]:
    """Every reason for and against a change, those that weigh most first."""
    found = [_time(change, e), _distance(change, e)]
    for look in (_modified, _alike, _rule, _past, _texts, _foreign, _running, _same_version, _undone, _elsewhere):
        found += look(change, e)
    return sorted(found, key=lambda r: -abs(r.points))


def _time(c: Change, e: Evidence) -> Reason:
    dt = max(60.0, e.signal.at - c.at)
    dense = SHARE_QUICK * math.exp(-dt / QUICK) / QUICK + (1 - SHARE_QUICK) * math.exp(-dt / SLOW) / SLOW
    points = max(-2.5, min(3.0, math.log(dense / e.pace())))
    chance = 1 - math.exp(-e.pace() * dt)
    text = f"{spell(dt)} before the alert; a change comes this close by chance {_often(chance)}"
    return Reason("time", round(points, 2), text, (c.key,), step=c.step)


def _distance(c: Change, e: Evidence) -> Reason:
    words = {0: "on the very thing that alerted", 1: "on something it needs directly"}.get(c.hops, f"{c.hops} dependencies away")
    return Reason("distance", DISTANCE[min(c.hops, 3)], words, (c.on,), step=c.step)


def _modified(c: Change, e: Evidence) -> list[Reason]:
    shared = e.profile.shared(terms(" ".join(c.texts())))
    told = e.rarity.told(shared, e.profile.weights)
    if len(shared) < 2 or told < 0.4:
        return []
    words = _quoted(e.rarity.rarest(shared), " ".join(c.texts()))
    return [
        Reason(
            "modified",
            round(min(MODIFIED, 0.8 * told), 2),
            f"what it changed and what such an alert is about share {words}",
            _inside(c),
            step=c.step,
        )
    ]


def _alike(c: Change, e: Evidence) -> list[Reason]:
    """Causes came to a cosine of 0.11 in the mean on thirty alerts of two companies, other changes to 0.02, both with a spread of 0.1:
    to be far in meaning says nothing, to be near a little.
    """
    if c.key not in e.alike:
        return []
    near = e.alike[c.key]
    points = round(min(NEAREST, PER_COSINE * (near - NEAR)), 2)
    if points < 0.1:
        return []
    words = "what it is called is near in meaning to the alert"
    return [Reason("alike", points, words, (c.key,), step=e.steps.get("alike", c.step))]


def _rule(c: Change, e: Evidence) -> list[Reason]:
    best: list[Reason] = []
    said = [*c.texts()]
    own = set(terms(" ".join(said)))
    for ruling in e.rulings:
        if c.on in ruling.on:
            best += _broken(c, ruling, said, own, e) or _ruled(c, ruling, own, e)
    return sorted(best, key=lambda r: -r.points)[:1]


def _broken(c: Change, ruling: Ruling, said: Sequence[str], own: set[str], e: Evidence) -> list[Reason]:
    """An amount in the change beyond what the decision allows, where both speak of the same."""
    for text, line in ruling.lines:
        common = {t for t in own & set(terms(text)) if not t.isdigit() and t not in e.silent}
        for bound in quantities.bounds(prose(text) if line else text):
            subject = common & set(terms(f"{ruling.name} {bound.sentence}"))
            for amount in (a for s in said for a in quantities.amounts(s)):
                about = subject & set(terms(amount.sentence))
                if bound.broken_by(amount) and sum(e.rarity.of(t) for t in about) >= SUBJECT:
                    side = "at most" if bound.side == "most" else "at least"
                    words = f"it says “{amount.said}”, and {ruling.kind} “{ruling.name}” allows {side} {bound.said}"
                    quotes = (Quote(ruling.source, standing(text, line, bound.sentence), bound.sentence),) if ruling.source and line else ()
                    return [Reason("rule", RULE_BROKEN, words, (ruling.key, *_inside(c)), quotes, e.steps.get("decided_on", 0))]
    return []


def _ruled(c: Change, ruling: Ruling, own: set[str], e: Evidence) -> list[Reason]:
    shared = {t for t in own & set(terms(ruling.name)) if not t.isdigit()} - set(terms(c.on.partition(":")[2]))
    told = e.rarity.told(shared, dict.fromkeys(shared, 1.0))
    if len(shared) < 2 or told < 0.6:
        return []
    return [
        Reason(
            "rule",
            round(min(RULED, 0.5 * told), 2),
            f"it changes what {ruling.kind} “{ruling.name}” decides about",
            (ruling.key,),
            step=e.steps.get("decided_on", 0),
        )
    ]


def _past(c: Change, e: Evidence) -> list[Reason]:
    for past in e.past:
        if c.on in past.on and past.causes:
            own = set(terms(" ".join(c.texts())))
            shared = {t for t in own & set(terms(past.lesson)) if not t.isdigit()} - set(terms(c.on.partition(":")[2]))
            like = min(LIKE_PAST, 0.5 * e.rarity.told(shared, dict.fromkeys(shared, 1.0))) if len(shared) > 1 else 0.0
            if past.likeness < NEARBY and not like:
                continue
            points = SAME_PAST * past.likeness + like
            words = f"a change there caused {past.name!r} before"
            if like > 0.4:
                words += f", and its report speaks of {_quoted(e.rarity.rarest(shared, 3), ' '.join(c.texts()))} too"
            return [Reason("past", round(points, 2), words, (past.key,), step=past.step)]
    return []


def _texts(c: Change, e: Evidence) -> list[Reason]:
    if c.kind in ("deploy", "pr", "commit") and harmless.harmless(c.own):
        return [Reason("texts_only", HARMLESS, "it touches only texts or tests", _inside(c), step=e.steps.get("changes_in", c.step))]
    return []


def _foreign(c: Change, e: Evidence) -> list[Reason]:
    if c.kind != "deploy" or not c.parts or c.own or any(p.why == "merged_between" for p in c.own):
        return []
    service = c.on.partition(":")[2]
    return [
        Reason(
            "not_its_code", NOT_ITS, f"nothing in it touches the code of {service}", _of(c.parts), step=e.steps.get("changes_in", c.step)
        )
    ]


def _running(c: Change, e: Evidence) -> list[Reason]:
    if c.failed:
        return [Reason("not_running", NOT_RUNNING, f"it ended with {c.status!r} and took no effect", (c.key,), step=c.step)]
    env, wanted = (
        c.environment,
        next((str(e.signal.labels[n]).lower() for n in ("environment", "env", "stage") if e.signal.labels.get(n)), ""),
    )
    apart = bool(env and wanted) and not (env.startswith(wanted) or wanted.startswith(env))
    if apart or (env in TRIALS and env != wanted):
        return [Reason("not_running", NOT_RUNNING, f"it went to {env}, not to where the alert is", (c.key,), step=c.step)]
    if c.kind == "ticket" and not int(c.props.get("closed_at") or 0):
        return [Reason("not_running", UNSAID, "the ticket does not say that it was done by then", (c.key,), step=c.step)]
    if c.kind == "ticket" and int(c.props["closed_at"]) > e.signal.at:
        return [Reason("not_running", NOT_RUNNING, "it was done only after the alert", (c.key,), step=c.step)]
    if c.kind in ("pr", "commit") and c.on in e.deployed:
        return [Reason("not_running", NOT_RUNNING, "it was merged, but no deployment up to the alert contains it", (c.key,), step=c.step)]
    if c.props.get("rollback"):
        return [Reason("not_running", UNDOES, "it takes back an earlier deployment: what runs now ran before", (c.key,), step=c.step)]
    return (
        [Reason("not_running", UNDEPLOYED, "merged; nothing says when it went live", (c.key,), step=c.step)]
        if c.kind in ("pr", "commit")
        else []
    )


def _same_version(c: Change, e: Evidence) -> list[Reason]:
    if c.kind != "deploy" or c.failed or c.props.get("rollback") or any(p.why in NEW for p in c.own):
        return []
    again = [row for row in e.elsewhere.get(c.key, ()) if row["same"] and int(str(row["at"])) < c.at]
    if not again:
        return []
    return [
        Reason(
            "same_version",
            SAME_VERSION,
            "it deploys again what already ran there",
            (c.key, str(again[0]["key"])),
            step=e.steps.get("elsewhere", c.step),
        )
    ]


def _undone(c: Change, e: Evidence) -> list[Reason]:
    """What became of the alert when the change was taken back, if it was."""
    undo = next((u for u in sorted((*e.later, *e.before), key=lambda u: u.at) if u.at > c.at and u.on == c.on and _undoes(u, c)), None)
    if undo is None:
        return _ended_anyway(c, e)
    cites, ended = (c.key, undo.key), e.signal.ended_at
    if undo.at <= e.signal.at:
        return [Reason("rolled_back", ROLLED_BACK, f"it had been taken back on {minute(undo.at)}, before the alert", cites, step=undo.step)]
    if ended and undo.at <= ended <= undo.at + SOON:
        return [Reason("ended_with", ENDED, f"the alert ended {spell(ended - undo.at)} after it was taken back", cites, step=undo.step)]
    if (ended or e.as_of) - undo.at >= WENT_ON:
        return [Reason("went_on", WENT_ON_POINTS, f"it was taken back on {minute(undo.at)} and the alert went on", cites, step=undo.step)]
    return []


def _ended_anyway(c: Change, e: Evidence) -> list[Reason]:
    """The alert is over and the change still runs: something else ended it, and may have begun it."""
    if not e.signal.ended_at or e.signal.ended_at > e.as_of:
        return []
    text = f"the alert ended on {minute(e.signal.ended_at)} and this still runs"
    return [Reason("ended_anyway", ENDED_ANYWAY, text, (c.key,), step=c.step)]


def _undoes(undo: Change, c: Change) -> bool:
    if undo.kind in ("deploy", "flag") and c.kind in ("deploy", "pr"):
        return bool(undo.props.get("rollback")) and not undo.failed
    if undo.kind != c.kind and not (undo.kind == "ticket" and c.kind == "flag"):
        return False
    if c.kind == "flag":
        return str(undo.props.get("flag") or undo.name.split("`")[1:2]) == str(c.props.get("flag") or c.name.split("`")[1:2])
    ident = c.key.partition(":")[2]
    return ident in f"{undo.name}\n{undo.text}"


def _elsewhere(c: Change, e: Evidence) -> list[Reason]:
    calm = [r for r in e.elsewhere.get(c.key, ()) if not r["same"] and not r["alerts"] and int(str(r["at"])) + 7200 < e.signal.at]
    if c.kind != "deploy" or not calm or any(r["alerts"] for r in e.elsewhere.get(c.key, ())):
        return []
    text = f"the same version runs on {str(calm[0]['on']).partition(':')[2]} since {minute(int(str(calm[0]['at'])))} without an alert"
    return [Reason("healthy_elsewhere", ELSEWHERE, text, (c.key, str(calm[0]["key"])), step=e.steps.get("elsewhere", c.step))]


def _quoted(found: Iterable[str], text: str) -> str:
    """Terms as they are written in a text."""
    return ", ".join(f"“{w}”" for w in written(found, text))


def _inside(c: Change) -> tuple[str, ...]:
    """The change and the pull requests in it that are more than texts."""
    return (c.key, *_of(p for p in c.own if not harmless.release_only(p)))


def _of(parts: Iterable[Part]) -> tuple[str, ...]:
    return tuple(p.key for p in parts)[:3]


def confidences(scores: Iterable[float]) -> tuple[list[float], float]:
    """The share of each score, and that of nothing being found: all together are 1."""
    scores = list(scores)
    top = max([*scores, NOTHING])
    parts = [math.exp(s - top) for s in scores]
    nothing = math.exp(NOTHING - top)
    total = sum(parts) + nothing
    return [p / total for p in parts], nothing / total


def spell(seconds: float) -> str:
    """A span of time as people say it."""
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{max(minutes, 1)} minute{'s' if minutes != 1 else ''}"
    hours = round(seconds / 3600)
    return f"{hours} hours" if hours < 48 else f"{round(hours / 24)} days"


def _often(chance: float) -> str:
    if chance < 0.01:
        return "less than once in a hundred times"
    return f"once in {round(1 / chance)} times" if chance < 0.4 else "more often than not" if chance > 0.5 else "about every other time"
