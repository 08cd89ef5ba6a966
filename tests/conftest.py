"""One embedded server and one loaded demo for all tests of a worker; both stop when the worker ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest
import small_company

from brain import embedded, loads
from brain.brain import Brain
from brain.settings import Settings
from brain.store import Store
from brain.types import Answer

MAIN = sys.modules["__main__"]


@pytest.fixture(autouse=True)
def main_stays() -> Iterator[None]:
    """A page that is tried without a browser leaves its script as the main module, which new processes would run."""
    yield
    sys.modules["__main__"] = MAIN


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """The settings of a BRAIN_HOME of this worker's own; its server is stopped at the end."""
    settings = Settings(home=tmp_path_factory.mktemp("brain-home"))
    yield settings
    embedded.stop(settings)


@pytest.fixture(scope="session")
def shared_store(home: Settings) -> Iterator[Store]:
    """A connection to that server. Whoever writes uses a workspace of its own."""
    opened = Store.open(home)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def demo(home: Settings) -> Iterator[Brain]:
    """The demo organisation, loaded once with the vectors that come with it. Only to be read."""
    opened = Brain.open(home, "demo")
    outcome = loads.demo(opened, lambda stage, done, total: None)
    assert not outcome.failures
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def answer(shared_store: Store) -> Callable[[str], Answer]:
    """Asks a question about the small company, loaded once. Only to be read."""
    small_company.build(shared_store, "small-company")
    return small_company.asker(shared_store, "small-company")
