"""The demo's vectors, shipped so that the first question needs no embedding: made from the raw files by the
same chunks and model as any load. `python -m brain.demo.vectors` writes them, `--check` compares.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from brain import connectors, settings
from brain.connectors import FORMATS
from brain.connectors.github_collect import merge
from brain.errors import HopcheckError
from brain.ingest import sections
from brain.loads import DEMO_VECTORS, demo_fetches
from brain.records import Records
from brain.settings import Settings
from brain.text.chunks import chunk
from brain.text.embedding import Embedder, load_embedder
from brain.text.vectors import VectorCache, embed_missing
from brain.types import TextRow

SAME = 0.995


def texts() -> Iterator[tuple[str, str]]:
    """(content hash, text) of every passage of the demo, read by the connectors that any load uses."""
    with tempfile.TemporaryDirectory() as folder:
        home = Settings(home=Path(folder))
        records = Records(home.home / "records")
        for fetch in demo_fetches(home).values():
            for section in sections(fetch()):
                records.replace(section, 0, merge)
        context = connectors.context(records.read(s) for s in records.sources())
        for source in records.sources():
            for row in FORMATS[source.partition(":")[0]].rows(records.read(source), context):
                if isinstance(row, TextRow):
                    yield from ((c.hash, c.text) for c in chunk(row))
        for row in context.company.accounts.made("open"):
            if isinstance(row, TextRow):
                yield from ((c.hash, c.text) for c in chunk(row))


def make(embedder: Embedder, folder: Path) -> VectorCache:
    """A cache in the folder with a vector for every passage of the demo."""
    cache = VectorCache(folder, embedder.model_id, embedder.dim)
    embed_missing(cache, embedder, texts())
    return cache


def differing(embedder: Embedder, folder: Path, every: int = 1) -> list[str]:
    """The hashes whose shipped vector is missing or not the one the model makes (cosine below 0.995);
    `every` n-th passage is compared.
    """
    shipped = VectorCache(folder, embedder.model_id, embedder.dim)
    shipped.import_file(DEMO_VECTORS)
    wanted = list(dict(texts()).items())
    kept = shipped.get_many([h for h, _ in wanted])
    wrong = [h for h, _ in wanted if h not in kept]
    sample = [(h, t) for h, t in wanted if h in kept][::every]
    made = embedder.embed([t for _, t in sample]) if sample else np.empty((0, embedder.dim))
    return wrong + [h for (h, _), v in zip(sample, made, strict=True) if float(v @ kept[h]) < SAME]


def main() -> None:
    """Writes the file, or with --check compares it; exit code 1 when it differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    embedder = load_embedder(settings.load())
    if embedder is None:
        raise HopcheckError("the packaged model is missing; pip install -e .")
    with tempfile.TemporaryDirectory() as folder:
        if check:
            wrong = differing(embedder, Path(folder))
            print(f"{len(wrong)} of {len(dict(texts()))} vectors differ")
            raise SystemExit(bool(wrong))
        print(f"{make(embedder, Path(folder)).export_file(DEMO_VECTORS, [h for h, _ in texts()])} vectors")


if __name__ == "__main__":
    main()
