"""Writes the raw files of an invented company in whose alerts the cause is known: `python -m eval.incidents.variants FOLDER`.

Same script and seed, same bytes. What is right about each alert is given back and stands in none of the files.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.incidents import code, desks
from eval.incidents.events import Deploy, Timeline
from eval.incidents.plan import Case, cases, company
from eval.incidents.timeline import timeline

VERSION = 4  # raised when the files change, so that what was loaded from them is loaded again
SEED = 5
USAGE = "usage: python -m eval.incidents.variants FOLDER [COMPANY [SEED]]"


@dataclass(frozen=True)
class Truth:
    """What is right about an alert. `causes` and `herrings` are keys, `same` other keys of the same change, `broke` the services
    that a cause was made on, `hops` how far the farthest of them is.
    """

    id: str
    category: str
    alert: str
    service: str
    at: int
    causes: tuple[str, ...]
    herrings: tuple[str, ...]
    same: dict[str, tuple[str, ...]]
    broke: tuple[str, ...]
    hops: int | None


def write(folder: Path, name: str = "whitefold", seed: int = SEED, only: Sequence[str] | None = None) -> list[Truth]:
    """Writes the company under an empty or new folder and gives what is right, in the order of the ids."""
    org = company(name)
    told = timeline(org, cases(name, org.start, seed, only), seed)
    folder.mkdir(parents=True, exist_ok=True)
    code.write(folder, told)
    desks.write(folder, told)
    return sorted((_truth(case, told) for case in told.cases), key=lambda t: t.id)


def _truth(case: Case, told: Timeline) -> Truth:
    org, far = told.org, told.org.hops(case.service)
    alert = next(a for a in told.alerts if a.id == case.id)
    keys: dict[str, list[str]] = {"cause": [], "herring": []}
    same: dict[str, tuple[str, ...]] = {}
    broke = []
    for n, one in enumerate(case.changes):
        made = told.made[case.id, n]
        key = desks.key(org, made)
        if one.role:
            keys[one.role].append(key)
        if isinstance(made, Deploy) and made.merge and not made.again:
            same[key] = (desks.key(org, made.merge),)
        if one.role == "cause":
            broke.append(one.service)
    hops = max((far[s] for s in broke), default=None)
    services = tuple(f"service:{s}" for s in dict.fromkeys(broke))
    causes, herrings = tuple(keys["cause"]), tuple(keys["herring"])
    on = f"service:{case.service}"
    return Truth(case.id, case.category, desks.alert_key(org, alert), on, case.at, causes, herrings, same, services, hops)


def main(arguments: list[str]) -> int:
    """Runs the command; gives its exit code."""
    if not 1 <= len(arguments) <= 3:
        print(USAGE, file=sys.stderr)
        return 2
    name, seed = (arguments[1:2] or ["whitefold"])[0], int((arguments[2:3] or [str(SEED)])[0])
    print(f"{len(write(Path(arguments[0]), name, seed))} alerts of {name} written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
