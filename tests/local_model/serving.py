"""A llama.cpp server in a process of its own: `serving.py MODEL.gguf CONTEXT [TEMPLATE]`. It writes its address as the only line of
its output, and ends when its input ends, so that it never outlives whoever started it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import xllamacpp


def serve(model: str, context: int, template: str) -> str:
    """Starts the server on a free port of this machine, on one thread that sleeps while there is nothing to do; its address."""
    params = xllamacpp.CommonParams()
    params.model.path, params.port, params.n_ctx, params.n_parallel = model, 0, context, 1
    params.use_jinja, params.ui, params.warmup = True, False, False
    params.cache_ram_mib = 512  # so that it need not read the tools of an arm again after the other arm has asked
    for threads in (params.cpuparams, params.cpuparams_batch):
        threads.n_threads, threads.poll = 1, 0
    params.model_alias = {Path(model).stem}  # what replies call it, rather than a path of this machine
    if template:
        params.chat_template = Path(template).read_text(encoding="utf-8")
    server = xllamacpp.Server(params)
    globals()["_kept"] = server
    return str(server.listening_address)


if __name__ == "__main__":
    print(serve(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""), flush=True)
    sys.stdin.read()
    os._exit(0)
