"""How loading grows: a made-up company of the demo's size, and one so many times larger, each loaded in a process of its own."""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from brain import bench_company, loads
from brain.bench import Bound
from brain.bench_load import peak_megabytes
from brain.brain import Brain
from brain.errors import StoreDown
from brain.settings import Settings
from brain.store import graph_name

SLACK = 1.2


@dataclass(frozen=True)
class Load:
    """One load: how many times the demo's size, entities stored, seconds, and the process's peak of resident memory."""

    times: int
    entities: int
    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Growth:
    """The same load small and large."""

    small: Load
    large: Load

    @property
    def seconds_ratio(self) -> float:
        """How many times longer the large load took."""
        return self.large.seconds / self.small.seconds

    @property
    def memory_ratio(self) -> float:
        """How many times more memory it took."""
        return self.large.megabytes / self.small.megabytes


def bound(found: Growth) -> Bound:
    """What is promised of growth, beside what was measured."""
    small, large = found.small, found.large
    limit = large.times / small.times * SLACK
    says = f"{found.seconds_ratio:.1f} x the time ({small.seconds:.1f} and {large.seconds:.1f} s), {found.memory_ratio:.1f} x the memory"
    says += f" ({small.megabytes:.0f} and {large.megabytes:.0f} MB), {small.entities:,} and {large.entities:,} entities"
    return Bound(f"loading a company {large.times} times as large", f"{limit:g} x the time", says, found.seconds_ratio <= limit)


def growth(settings: Settings, times: int = 10) -> Growth:
    """Writes both companies, loads each into a workspace that is dropped afterwards, and gives what it took."""
    return Growth(_measured(settings, 1), _measured(settings, times))


def _measured(settings: Settings, times: int) -> Load:
    name = f"bench-growth-{times}"
    with tempfile.TemporaryDirectory(prefix="hopcheck-") as folder:
        bench_company.write(Path(folder), times)
        try:
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
                entities, seconds, megabytes = pool.submit(_load, settings, name, Path(folder)).result()
        finally:
            _forget(settings, name)
    return Load(times, entities, seconds, megabytes)


def _load(settings: Settings, name: str, folder: Path) -> tuple[int, float, float]:
    brain = Brain.open(settings, name)
    try:
        began = time.perf_counter()
        outcome = brain.load(loads.auto(settings, folder, "bench"))
        if outcome.rebuild is None:
            raise StoreDown(f"the made-up company could not be loaded: {'; '.join(outcome.failures)}")
        return sum(brain.status()["counts"].values()), time.perf_counter() - began, peak_megabytes()
    finally:
        brain.close()


def _forget(settings: Settings, name: str) -> None:
    brain = Brain.open(settings, name)
    brain.store.drop(graph_name(name))
    brain.close()
    shutil.rmtree(settings.workspaces / name, ignore_errors=True)
