"""Long work that outlives a click: one thread a job, known by its id to every session of the process.

A job's work reports through `Job.report` and stops at the next report after `cancel()`.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from brain.errors import Cancelled, HopcheckError

JobState = Literal["running", "done", "failed", "cancelled"]


@dataclass
class Job:
    """One piece of work: how far it is, and in the end its result or its error."""

    id: str
    kind: str
    title: str
    owner: str
    started: float = field(default_factory=time.time)
    ended: float = 0.0
    done: int = 0
    total: int = 0
    message: str = ""
    future: Future[Any] = field(default_factory=Future)
    stop: threading.Event = field(default_factory=threading.Event)

    def report(self, message: str, done: int, total: int) -> None:
        """Say how far the work is; raises Cancelled when a person asked to stop."""
        if self.stop.is_set():
            raise Cancelled("stopped by a person; what was finished is kept")
        self.note(message, done, total)

    def note(self, message: str, done: int, total: int) -> None:
        """Say how far the work is, for work that looks itself whether it is to stop."""
        self.done, self.total, self.message = done, total, message

    def cancelled(self) -> bool:
        """Whether a person asked to stop."""
        return self.stop.is_set()

    def cancel(self) -> None:
        """Ask the work to stop at its next report."""
        self.stop.set()

    @property
    def state(self) -> JobState:
        """running, done, failed or cancelled."""
        if not self.future.done():
            return "running"
        error = self.future.exception()
        if error is None:
            return "done"
        return "cancelled" if isinstance(error, Cancelled) else "failed"

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return min(1.0, self.done / self.total) if self.total > 0 else 0.0

    @property
    def error(self) -> str:
        """What went wrong, for a person; an error that is ours says only its kind."""
        error = self.future.exception() if self.future.done() else None
        if error is None:
            return ""
        return str(error) if isinstance(error, HopcheckError) else f"unexpected {type(error).__name__}; see the log"

    @property
    def seconds(self) -> float:
        """How long the work has taken, or took."""
        return (self.ended or time.time()) - self.started


class Jobs:
    """The jobs of this process, newest first; finished ones beyond `keep` are forgotten."""

    def __init__(self, keep: int = 50) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._keep = keep

    def start(self, kind: str, title: str, owner: str, work: Callable[[Job], Any]) -> Job:
        """A running job that does `work(job)` in a thread of its own."""
        job = Job(secrets.token_urlsafe(9), kind, title, owner)
        with self._lock:
            self._jobs[job.id] = job
            finished = [j.id for j in self._jobs.values() if j.state != "running"]
            for old in finished[: max(0, len(self._jobs) - self._keep)]:
                del self._jobs[old]
        threading.Thread(target=_run, args=(job, work), name=f"job-{kind}", daemon=True).start()
        return job

    def get(self, job_id: str, owner: str) -> Job | None:
        """The job of that id if this owner started it, else nothing."""
        job = self._jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    def running(self, kind: str) -> Job | None:
        """The job of that kind that is running now, whoever started it."""
        with self._lock:
            return next((j for j in self._jobs.values() if j.kind == kind and j.state == "running"), None)


def _run(job: Job, work: Callable[[Job], Any]) -> None:
    """Carry the outcome, whatever it is, into the job's future; nothing is swallowed."""
    try:
        result = work(job)
    except BaseException as error:  # handed on to whoever asks the future, as an executor does
        job.ended = time.time()
        job.future.set_exception(error)
        if not isinstance(error, HopcheckError):
            raise
    else:
        job.ended = time.time()
        job.future.set_result(result)
