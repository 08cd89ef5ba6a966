"""One exchange with a server. A thread reads, so that whoever waits can stop at any moment and a deadline counts pauses too."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brain.errors import Cancelled, HopcheckError
from brain.llm.faults import Fault, Place
from brain.llm.gathering import Gathered
from brain.llm.talk import Cancelled as AskCancelled
from brain.llm.talk import OnText

if TYPE_CHECKING:
    import httpx2

    from brain.llm.wire import Line

LOOK_S = 0.05
LONGER_S = 1.0
"""So much longer than the deadline may one read take, so that it is the deadline that ends a silent exchange."""
GRACE_S = 2.0
"""So long is a server waited for that has said why a reply ended, but neither counted its tokens nor closed the stream."""
_END = object()


@dataclass(frozen=True)
class Heard:
    """What came, and whether the server had said all of it."""

    gathered: Gathered
    done: bool


@dataclass(frozen=True)
class Patience:
    """How long an exchange may take, and who may end it earlier. `until` is an instant of the monotonic clock."""

    timeout_s: float
    until: float
    cancelled: AskCancelled

    @property
    def left(self) -> float:
        """The seconds left."""
        return self.until - time.monotonic()

    def look(self) -> None:
        """Raises Cancelled when somebody stopped it."""
        if self.cancelled():
            raise Cancelled("stopped while a model was being asked")


def exchange(place: Place, body: dict[str, Any], transport: httpx2.BaseTransport, patience: Patience, on_text: OnText | None) -> Heard:
    """Sends the body and waits for the reply; Fault when none came, Cancelled when somebody stopped it. A stream that breaks off after
    something came is no fault: `done` is false.
    """
    from brain.llm.wire import Line

    line, came = Line(), queue.SimpleQueue[Any]()
    reader = threading.Thread(target=_read, args=(place, body, transport, line, patience.left, came), daemon=True, name="model")
    reader.start()
    try:
        return _heard(place, body, line, came, patience, on_text)
    finally:
        line.hang_up()


def _read(
    place: Place, body: dict[str, Any], transport: httpx2.BaseTransport, line: Line, timeout_s: float, came: queue.SimpleQueue[Any]
) -> None:
    try:
        from brain.llm.sdk import pieces

        for piece in pieces(place, body, transport, line, max(timeout_s, 0) + LONGER_S):
            came.put(piece)
        came.put(_END)
    except BaseException as err:  # handed to the thread that waits, which raises it or tells what it means
        came.put(err)


def _heard(
    place: Place, body: dict[str, Any], line: Line, came: queue.SimpleQueue[Any], patience: Patience, on_text: OnText | None
) -> Heard:
    gathered, last = Gathered(), time.monotonic()
    while True:
        patience.look()
        if (left := patience.left) <= 0:
            if gathered.something:
                return Heard(gathered, False)
            raise Fault("silent", f"{place.host} did not answer within {patience.timeout_s:g} s (BRAIN_LLM_TIMEOUT_S)")
        try:
            piece = came.get(timeout=min(LOOK_S, left))
        except queue.Empty:
            if gathered.over and time.monotonic() - last > GRACE_S:
                return Heard(gathered, True)
            continue
        last = time.monotonic()
        if piece is _END:
            return Heard(gathered, line.done)
        if isinstance(piece, BaseException):
            return _broken_off(place, body, gathered, piece)
        if (added := gathered.add(piece)) and on_text is not None:
            on_text(added)
        if gathered.full:
            return Heard(gathered, False)


def _broken_off(place: Place, body: dict[str, Any], gathered: Gathered, err: BaseException) -> Heard:
    from brain.llm.sdk import fault
    from brain.llm.wire import TooLong

    if isinstance(err, TooLong):
        gathered.full = gathered.answered = True
        return Heard(gathered, False)
    if isinstance(err, HopcheckError):
        raise err
    if isinstance(err.__cause__, Fault):  # of a recording that does not hold this
        raise err.__cause__
    meant = fault(err, place, body)
    if meant is None:
        raise err
    if gathered.something:
        return Heard(gathered, False)
    raise meant from None
