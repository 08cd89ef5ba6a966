"""Writes a question set for any organisation: `python -m eval.generate --data DIR --out FILE`.

The same folder, seed and counts always give the same questions; `--phrasings alt` gives the same questions
with the same ids in the wordings that were held back.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import string
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import yaml

from brain.errors import DefinitionError
from eval.gold.records import GoldError
from eval.gold.world import World, load
from eval.questions import Question, save
from eval.templates import ALL, CATEGORIES
from eval.templates.candidate import Candidate

HERE = Path(__file__).parent
GROUPS = ("main", "alt")
# Questions whose right answer is "none" or "cannot be known" are few in life too: this many a set at most.
RARE = {"expertise.unreviewed": 2, "trace.unreleased": 2, "trace.no_such": 2,
        "cross-repository.mentioning_none": 2, "cross-repository.widest": 1, "expertise.unknowable": 1, "aggregation.unknowable": 1,
        "impact.none_open_on_file": 2, "impact.how_often": 2}


@dataclass(frozen=True)
class Picked:
    """A candidate with the template that found it and the number that its id carries."""

    template: str
    n: int
    candidate: Candidate


def phrasings(path: Path = HERE / "phrasings.yaml") -> dict[str, dict[str, list[str]]]:
    """Template -> group -> wordings; refused when a group is missing or a wording stands in two places."""
    table = yaml.safe_load(path.read_text(encoding="utf-8"))
    seen: dict[str, str] = {}
    for template, groups in table.items():
        if set(groups) != set(GROUPS):
            raise DefinitionError(f"{path}: {template} has {sorted(groups)}; give it the groups {', '.join(GROUPS)}")
        for group, texts in groups.items():
            for text in texts:
                here = f"{template} {group}"
                if seen.setdefault(f"{template}|{text.lower()}", here) != here:
                    raise DefinitionError(f"{path}: {text!r} stands in {here} and in another group; keep one")
    return table


def pick(world: World, category: str, count: int, seed: int) -> list[Picked]:
    """Up to `count` candidates of a category: templates in turn, repositories spread within each."""
    queues = {}
    for name, template in ALL.items():
        if name.startswith(category + "."):
            rng = Random(f"{seed}/{name}")
            queues[name] = spread(list(template(world, rng)), rng)[:RARE.get(name, count)]
    out: list[Picked] = []
    turn = 0
    while len(out) < count and any(len(q) > turn for q in queues.values()):
        for name, queue in queues.items():
            if turn < len(queue) and len(out) < count:
                out.append(Picked(name, turn + 1, queue[turn]))
        turn += 1
    return out


def spread(candidates: list[Candidate], rng: Random) -> list[Candidate]:
    """Shuffled so that each next one is about the thing asked about least so far."""
    rng.shuffle(candidates)
    rank: Counter[str] = Counter()
    keyed: list[tuple[int, int, Candidate]] = []
    for candidate in candidates:
        keyed.append((rank[candidate.about], len(keyed), candidate))
        rank[candidate.about] += 1
    return [c for _, _, c in sorted(keyed, key=lambda k: k[:2])]


def word(picked: Picked, texts: Sequence[str], seed: int, group: str) -> str:
    """The question in one of the wordings: neighbours of a template never share one."""
    rng = Random(f"{seed}/{picked.template}/{picked.n}/{group}")
    text = texts[(picked.n - 1 + int(hashlib.sha256(picked.template.encode()).hexdigest(), 16)) % len(texts)]
    said = {name: slot.say(rng) for name, slot in picked.candidate.slots.items()}
    question = string.Formatter().vformat(text, (), said)
    question = re.sub(r"([?!])([?.]+)$", r"\1", question)
    return question[0].upper() + question[1:] if text[0].isupper() and question[0].islower() else question


def template_questions(world: World, count: int, seed: int, group: str, categories: Iterable[str] = CATEGORIES) -> list[Question]:
    """Questions of the templates alone, category after category."""
    table = phrasings()
    out = []
    for category in categories:
        for p in pick(world, category, count, seed):
            c = p.candidate
            out.append(Question(f"{p.template}-{p.n:02d}", category, word(p, table[p.template][group], seed, group), c.gold,
                                c.match, c.sources, None, c.as_of, p.template))
    return out


def written_questions(path: Path, world: World, group: str) -> list[Question]:
    """Hand-written lookups of one organisation; refused when a gold key is not in its raw files."""
    out = []
    for n, raw in enumerate(yaml.safe_load(path.read_text(encoding="utf-8")), 1):
        sources = tuple(raw["sources"])
        for key in sources:
            if not _exists(world, key):
                raise DefinitionError(f"{path}: entry {n}: {key!r} is not in the data; name an issue or PR that is")
        out.append(Question(f"lookup.written-{n:02d}", "lookup", raw["ask" if group == "main" else "alt"], tuple(raw.get("gold", sources)),
                            raw.get("match", "set"), sources, None, None, f"lookup.written-{n:02d}"))
    return out


def _exists(world: World, key: str) -> bool:
    found = re.fullmatch(r"(?:pr|issue):([^#]+)#(\d+)", key)
    item = world.repos[found[1]].items.get(int(found[2])) if found and found[1] in world.repos else None
    return item is not None and item.key == key


def generate(world: World, written: Path | None, count: int, seed: int, group: str) -> list[Question]:
    """The whole set: hand-written lookups first, templates for what is missing."""
    own = written_questions(written, world, group)[:count] if written else []
    rest = [q for q in template_questions(world, count, seed, group)]
    lookups = [q for q in rest if q.category == "lookup"][:count - len(own)]
    return own + lookups + [q for q in rest if q.category != "lookup"]


def main(argv: Sequence[str] | None = None) -> int:
    """The command; 1 with one line when the data or a definition cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m eval.generate", description="Write a question set with gold answers from raw files.")
    parser.add_argument("--data", type=Path, required=True, help="folder with archives, GitHub JSON, bundles or repositories")
    parser.add_argument("--out", type=Path, required=True, help="set file to write (.jsonl)")
    parser.add_argument("--org", help="owner of the repositories; found in the archives when left out")
    parser.add_argument("--written", type=Path, help="YAML file of hand-written lookups of this organisation")
    parser.add_argument("--count", type=int, default=30, help="questions a category")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--phrasings", choices=GROUPS, default="main", help="alt: the held-back wordings")
    a = parser.parse_args(argv)
    try:
        questions = generate(load(a.data, a.org), a.written, a.count, a.seed, a.phrasings)
    except (GoldError, DefinitionError) as error:
        print(error, file=sys.stderr)
        return 1
    save(questions, a.out)
    print(summary(questions, a.count))
    return 0


def summary(questions: Iterable[Question], count: int) -> str:
    """Counts by category, and which category the data could not fill."""
    counts: Mapping[str, int] = Counter(q.category for q in questions)
    short = f" (the data allows no more of {count})"
    return "\n".join(f"{c}: {counts.get(c, 0)}" + ("" if counts.get(c, 0) >= count else short) for c in CATEGORIES)


if __name__ == "__main__":
    raise SystemExit(main())
