"""Vectors from an OpenAI-compatible embeddings endpoint, over plain HTTP; a silent or busy peer is tried again."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import numpy as np

from brain.errors import HopcheckError
from brain.settings import Settings
from brain.text.embedding import Vectors, unit

ATTEMPTS = 4
LONGEST_WAIT_S = 30.0
MAX_CHARS = 8000


class EndpointEmbedder:
    """Embeds by asking `POST <url>/embeddings`. Nothing is sent before the first text is."""

    batch = 64
    workers = 2

    def __init__(
        self,
        url: str,
        model: str,
        key: str = "",
        dim: int = 384,
        timeout_s: float = 30,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        base = url.rstrip("/")
        self._url = base if base.endswith("/embeddings") else f"{base}/embeddings"
        self._model, self._sleep = model, sleep
        self.model_id, self.dim = f"endpoint-{model}", dim
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(headers=headers, timeout=timeout_s)

    @classmethod
    def of(cls, settings: Settings) -> EndpointEmbedder:
        """The endpoint of the settings; HopcheckError when it has no model name or no http address."""
        if not settings.embed_model:
            raise HopcheckError("BRAIN_EMBED_URL is set but BRAIN_EMBED_MODEL is not: name the endpoint's model")
        if not settings.embed_url.startswith(("http://", "https://")):
            raise HopcheckError("BRAIN_EMBED_URL must begin with http:// or https://")
        return cls(settings.embed_url, settings.embed_model, settings.embed_key, settings.embed_dim, settings.http_timeout_s)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text. HopcheckError when the endpoint refuses, stays silent, or sends another dimension."""
        if not texts:
            return np.empty((0, self.dim), dtype=np.float32)
        out = []
        for i in range(0, len(texts), self.batch):
            out += self._ask([t[:MAX_CHARS].strip() or "-" for t in texts[i : i + self.batch]])
        return unit(np.asarray(out, dtype=np.float32))

    def _ask(self, texts: list[str]) -> list[list[float]]:
        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        why, pause = "", 0.0
        for attempt in range(ATTEMPTS):
            if pause:
                self._sleep(pause)
            pause = min(2.0**attempt, LONGEST_WAIT_S)
            try:
                response = self._client.post(self._url, json=body)
            except httpx.InvalidURL as e:
                raise HopcheckError(f"BRAIN_EMBED_URL={self._url!r} is not an address: {e}") from None
            except httpx.TransportError as e:
                why = f"{type(e).__name__}: {e}"
                continue
            if response.status_code == 429 or response.status_code >= 500:
                why = f"HTTP {response.status_code}"
                pause = _retry_after(response, pause)
                continue
            return self._vectors(response, len(texts))
        raise HopcheckError(f"{self._url} gave no vectors after {ATTEMPTS} attempts ({why}): check BRAIN_EMBED_URL")

    _wait_s = 1.0

    def _vectors(self, response: httpx.Response, n: int) -> list[list[float]]:
        if response.status_code in (401, 403):
            raise HopcheckError(f"{self._url} refused the key (HTTP {response.status_code}): check BRAIN_EMBED_KEY")
        if response.status_code != 200:
            raise HopcheckError(f"{self._url} answered HTTP {response.status_code}: {response.text[:200]!r}")
        try:
            rows = [row["embedding"] for row in sorted(response.json()["data"], key=_index)]
            sizes = {len(row) for row in rows}
            np.asarray(rows, dtype=np.float32)
        except (ValueError, KeyError, TypeError, AttributeError) as e:
            raise HopcheckError(f"{self._url} did not answer as an embeddings endpoint does ({e!r})") from None
        if len(rows) != n:
            raise HopcheckError(f"{self._url} sent {len(rows)} vectors for {n} texts")
        if sizes != {self.dim}:
            sent = ", ".join(map(str, sorted(sizes)))
            raise HopcheckError(f"{self._model} makes vectors of {sent} numbers, not {self.dim}: set BRAIN_EMBED_DIM={sent}")
        return rows


def _index(row: dict[str, Any]) -> int:
    return int(row["index"])


def _retry_after(response: httpx.Response, otherwise: float) -> float:
    try:
        return min(max(float(response.headers.get("Retry-After", otherwise)), 0.0), LONGEST_WAIT_S)
    except ValueError:
        return otherwise
