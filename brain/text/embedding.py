"""Vectors for texts: unit length, never zero, from the packaged model, a folder, or an endpoint.

A model is known by its `model_id`; vectors of two models never meet.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from brain.errors import BadInput, Cancelled, HopcheckError
from brain.settings import Settings

Vectors = npt.NDArray[np.float32]
Progress = Callable[[int, int], None]
Cancel = Callable[[], bool]


class Embedder(Protocol):
    """Turns texts into vectors. `dim` is their length, `batch` and `workers` how it likes to be fed."""

    model_id: str
    dim: int
    batch: int
    workers: int

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, float32, of unit length, in the order given."""
        ...


@dataclass(frozen=True)
class Found:
    """The embedder to use, or None and the reason, in words for a page."""

    embedder: Embedder | None
    reason: str = ""


def cores() -> int:
    """How many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def unit(vectors: npt.NDArray[np.floating]) -> Vectors:
    """The rows at unit length; a row that is zero or not finite becomes one fixed direction."""
    rows = np.asarray(vectors, dtype=np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True) if rows.size else np.ones((len(rows), 1), np.float32)
    bad = ~np.isfinite(norms[:, 0]) | (norms[:, 0] < 1e-12)
    with np.errstate(invalid="ignore"):
        out = (rows / np.where(bad[:, None], 1, norms)).astype(np.float32)
    if bad.any():
        out[bad] = np.float32(1 / np.sqrt(rows.shape[1]))
    return out


def embed_batches(
    embedder: Embedder,
    texts: Sequence[str],
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Iterator[tuple[list[int], Vectors]]:
    """The vectors of many texts as (positions, rows), as batches finish: texts of like length
    together, in the embedder's number of threads. Raises Cancelled as soon as `cancel()` is true.
    """
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True)
    batches = iter([order[i : i + embedder.batch] for i in range(0, len(order), embedder.batch)])
    done, running = 0, dict[Future[Vectors], list[int]]()
    stop = threading.Event()

    def work(positions: list[int]) -> Vectors:
        if stop.is_set():
            raise Cancelled("embedding was stopped")
        return embedder.embed([texts[i] for i in positions])

    with ThreadPoolExecutor(max_workers=max(embedder.workers, 1), thread_name_prefix="embed") as pool:
        try:
            while True:
                while len(running) <= embedder.workers and (batch := next(batches, None)) is not None:
                    running[pool.submit(work, batch)] = batch
                if not running:
                    return
                finished, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                if cancel is not None and cancel():
                    raise Cancelled("embedding was stopped; the vectors made so far are kept")
                for future in finished:
                    positions = running.pop(future)
                    done += len(positions)
                    yield positions, future.result()
                    if progress is not None:
                        progress(done, len(texts))
        finally:
            stop.set()


def find_embedder(settings: Settings) -> Found:
    """The endpoint when one is set, else the folder when one is set, else the packaged model.

    What a person set and cannot be used raises HopcheckError; a packaged model that is missing or
    altered gives no embedder and the reason, and search is full-text only.
    """
    if settings.embed_url:
        from brain.text.endpoint import EndpointEmbedder

        return Found(EndpointEmbedder.of(settings))
    try:
        from brain.text import minilm_onnx
    except ImportError as e:
        return Found(None, f"no vectors: {e.name} is not installed (pip install onnxruntime tokenizers)")
    if settings.model_dir:
        return Found(_of_dim(minilm_onnx.from_folder(Path(settings.model_dir).expanduser()), settings.embed_dim))
    try:
        return Found(minilm_onnx.packaged())
    except BadInput as e:
        return Found(None, f"no vectors: {e}")


def _of_dim(embedder: Embedder, dim: int) -> Embedder:
    if embedder.dim != dim:
        raise HopcheckError(f"{embedder.model_id} makes vectors of {embedder.dim} numbers, not {dim}: set BRAIN_EMBED_DIM={embedder.dim}")
    return embedder


def load_embedder(settings: Settings) -> Embedder | None:
    """The embedder of the settings, or None when there is none; `find_embedder` also says why."""
    return find_embedder(settings).embedder
