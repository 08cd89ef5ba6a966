"""Writes the question set of a company: `python -m eval.generate_company --data DIR --out FILE --at DATE`.

The same folder, seed and counts always give the same questions; `--phrasings alt` gives the same questions with the
same ids in the wordings that were held back.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import yaml

from brain.errors import DefinitionError
from eval.generate import GROUPS, Picked, phrasings, spread, word
from eval.gold.company import Company, load
from eval.gold.company_desks import instant
from eval.gold.records import GoldError
from eval.questions import Question, save
from eval.templates import COMPANY, COMPANY_CATEGORIES

HERE = Path(__file__).parent


def pick(company: Company, category: str, count: int, seed: int) -> list[Picked]:
    """Up to `count` candidates of a category, templates in turn."""
    queues = {}
    for name, template in COMPANY.items():
        if name.startswith(category + "."):
            rng = Random(f"{seed}/{name}")
            queues[name] = spread(list(template(company, rng)), rng)
    out: list[Picked] = []
    for turn in range(max(map(len, queues.values()), default=0)):
        out += [Picked(name, turn + 1, queue[turn]) for name, queue in queues.items() if turn < len(queue)]
    return out[:count]


def generate(company: Company, written: Path | None, count: int, seed: int, group: str) -> list[Question]:
    """The whole set: templates by category, then the hand-written control questions."""
    table = phrasings(HERE / "company_phrasings.yaml")
    out = []
    for category in COMPANY_CATEGORIES:
        for p in pick(company, category, count, seed):
            c = p.candidate
            id_ = f"{p.template.replace(' ', '-')}-{p.n:02d}"
            out.append(
                Question(
                    id_,
                    category,
                    word(p, table[p.template][group], seed, group),
                    c.gold,
                    c.match,
                    c.sources,
                    None,
                    company.as_of,
                    p.template,
                )
            )
    for n, raw in enumerate(yaml.safe_load(written.read_text(encoding="utf-8")) if written else (), 1):
        for key in raw["sources"]:
            if not (company.folder / key.removeprefix("doc:")).is_file():
                raise DefinitionError(f"{written}: entry {n}: {key!r} is not in the data; name a document that is")
        id_ = f"control.written-{n:02d}"
        gold, sources = tuple(raw["gold"]), tuple(raw["sources"])
        out.append(Question(id_, "control", raw["ask" if group == "main" else "alt"], gold, "text", sources, None, company.as_of, id_))
    return out


def main(argv: Sequence[str] | None = None) -> int:
    """The command; 1 with one line when the data or a definition cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m eval.generate_company", description="Write a company's question set with gold answers."
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with catalog/, docs/, tickets/, slack/, deploys/, alerts/")
    parser.add_argument("--out", type=Path, required=True, help="set file to write (.jsonl)")
    parser.add_argument("--at", required=True, help="the instant at which the data ends, such as 2026-10-16T06:00:00Z")
    parser.add_argument("--written", type=Path, help="YAML file of hand-written questions about what documents say")
    parser.add_argument("--count", type=int, default=25, help="questions a category")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--phrasings", choices=GROUPS, default="main", help="alt: the held-back wordings")
    a = parser.parse_args(argv)
    try:
        questions = generate(load(a.data, instant(a.at)), a.written, a.count, a.seed, a.phrasings)
    except (GoldError, DefinitionError) as error:
        print(error, file=sys.stderr)
        return 1
    save(questions, a.out)
    for category in (*COMPANY_CATEGORIES, "control"):
        print(f"{category}: {sum(q.category == category for q in questions)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
