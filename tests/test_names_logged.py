"""Names that a write makes known without changing anything: what is written after it is the same after the server died."""

from __future__ import annotations

import os
import signal

import pytest

from brain import embedded
from brain.errors import HopcheckError
from brain.settings import Settings
from brain.store import Store

GRAPH = "brain::names"
IN_VAIN = {
    "a merge of no rows": "MATCH (a:A {id: 99}) MERGE (:B {fresh: a.id})",
    "a creation of no rows": "UNWIND [] AS x CREATE (:B {fresh: x})",
    "a null that was none": "MATCH (a:A) SET a.fresh = NULL",
    "a creation that fails": "UNWIND [1, 'a'] AS i CREATE (:B {fresh: 1}) RETURN i * [1]",
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    made = Settings(home=tmp_path_factory.mktemp("names") / "home", idle_stop_s=20)
    yield made
    embedded.stop(made)


def test_what_is_written_after_a_write_that_changed_nothing_is_the_same_after_a_crash(settings):
    store = Store.open(settings)
    read = "MATCH (t:T)-[r:LINKS]->(u:U) RETURN t.model AS model, t.prompt AS prompt, r.since AS since, u.name AS name"
    for n, text in enumerate(IN_VAIN.values()):
        store.write(f"{GRAPH}{n}", "CREATE (:A {id: 1})")
        if "RETURN i * " in text:
            with pytest.raises(HopcheckError):
                store.write(f"{GRAPH}{n}", text)
        else:
            store.write(f"{GRAPH}{n}", text)
        store.write(f"{GRAPH}{n}", "CREATE (:T {model: 'x', prompt: 7})-[:LINKS {since: 3}]->(:U {name: 'u'})")
    os.kill(embedded.status(settings).pid, signal.SIGKILL)
    found = {name: store.read(f"{GRAPH}{n}", read).rows for n, name in enumerate(IN_VAIN)}
    store.close()
    assert found == {name: ({"model": "x", "prompt": 7, "since": 3, "name": "u"},) for name in IN_VAIN}
