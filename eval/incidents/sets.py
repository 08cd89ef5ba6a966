"""Writes the replay sets anew from the raw files: `python -m eval.incidents.sets [--check]`."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from eval.gold import incidents as gold
from eval.gold.company_desks import Alert
from eval.incidents import variants
from eval.incidents.plan import COMPANIES
from eval.incidents.replay import SETS, Replay, parse
from eval.incidents.variants import Truth

WORKSPACES = dict(zip(COMPANIES, ("variants", "variants-alt", "variants-last"), strict=True))
STEMS = dict(zip(COMPANIES, ("incidents", "incidents.alt", "incidents.last"), strict=True))
RAW = Path(__file__).parents[2] / "brain" / "demo" / "raw"


def replays(folder: Path, name: str, truths: Sequence[Truth]) -> Iterator[Replay]:
    """The replays of an invented company whose files lie in the folder."""
    duties = gold.read(folder)
    for t in truths:
        alert = Alert(t.alert.removeprefix("alert:"), "", t.service.removeprefix("service:"), t.at)
        broke = [b.removeprefix("service:") for b in t.broke]
        made = gold.line(t.id, t.category, alert, t.causes, t.herrings, broke, duties, workspace=WORKSPACES[name], same=t.same)
        yield Replay(**{**made, **{k: tuple(v) for k, v in made.items() if isinstance(v, list)}})


def seeded(name: str, seed: int) -> list[Replay]:
    """The replays of an invented company as another seed has it: other days and other ordinary weeks around the same script. They are
    in a workspace of their own.
    """
    with tempfile.TemporaryDirectory() as temp:
        made = list(replays(Path(temp), name, variants.write(Path(temp), name, seed)))
    return [replace(r, workspace=f"{r.workspace}-{seed}") for r in made]


def company_of(workspace: str) -> tuple[str, int] | None:
    """Which company and seed a workspace is for; None for any other."""
    for name, own in WORKSPACES.items():
        found = re.fullmatch(rf"{own}(?:-(\d+))?", workspace)
        if found:
            return name, int(found[1] or variants.SEED)
    return None


def lines() -> dict[str, str]:
    """The text of each set file by its name."""
    demo = [parse(json.dumps(one), "demo") for one in gold.demo(RAW)]
    out = {}
    for name, stem in STEMS.items():
        with tempfile.TemporaryDirectory() as temp:
            made = list(replays(Path(temp), name, variants.write(Path(temp), name)))
        out[f"{stem}.jsonl"] = "".join(r.line() + "\n" for r in (*(demo if stem == "incidents" else ()), *made))
    return out


def main(arguments: list[str]) -> int:
    """Runs the command; gives its exit code."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m eval.incidents.sets [--check]", file=sys.stderr)
        return 2
    made = lines()
    if arguments:
        wrong = [name for name, text in made.items() if not (SETS / name).exists() or (SETS / name).read_text(encoding="utf-8") != text]
        print("\n".join(f"differs: {name}" for name in wrong) or "the sets are what the raw files give")
        return 1 if wrong else 0
    for name, text in made.items():
        (SETS / name).write_text(text, encoding="utf-8")
        print(f"{name}: {text.count(chr(10))} alerts")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
