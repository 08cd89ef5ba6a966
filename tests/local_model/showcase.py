"""Makes the shipped recording of a real model anew: `python tests/local_model/showcase.py NAME`, with LOCAL_MODEL_GGUF naming the model.

It asks a freshly loaded demo, as a guest, in both arms, with what a model on a processor can read; the recording goes to
eval/recordings/NAME.jsonl.gz, its scored run to eval/runs/NAME. What was made before with NAME is replaced. It has to be made anew
whenever what a model is told changes: the prompt, a tool's description or rows, the demo. There is one choice and one answer to a
question, and nothing is handed back: so what the check says of an answer may change without that.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import llama

EVAL = Path(__file__).resolve().parents[2] / "eval"
SET = "demo.showcase"


def make(name: str) -> None:
    """Loads the demo, asks, and puts recording and run where they are shipped from."""
    with tempfile.TemporaryDirectory() as folder, llama.running(llama.brought()) as url:
        record, run = Path(folder) / "recording.jsonl", Path(folder) / "run"
        env = {**os.environ, **llama.SMALL, "BRAIN_LLM_MODE": "json", "BRAIN_HOME": folder, "OPENAI_BASE_URL": url, "BRAIN_LLM_MODELS": llama.brought().stem}

        def brain(*args: str, **more: str) -> None:
            subprocess.run([sys.executable, "-m", "brain.cli", *args], env={**env, **more}, check=True)

        brain("demo")
        brain(
            "eval", "run", "--set", SET, "--arms", "graph,vector", "--engine", "openai", "--as", "guest", "--workspace", "demo", "--yes",
            "--out", str(run), BRAIN_LLM_RECORD=str(record),
        )  # fmt: skip
        _keep(run, EVAL / "runs" / name)
        with gzip.GzipFile(EVAL / "recordings" / f"{name}.jsonl.gz", "wb", mtime=0) as packed:
            packed.write(record.read_bytes())


def _keep(run: Path, where: Path) -> None:
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(run, where)


if __name__ == "__main__":
    (EVAL / "recordings").mkdir(exist_ok=True)
    make(sys.argv[1])
