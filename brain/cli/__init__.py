"""The command line: noun then verb, `--json` where there is output, one line and exit code 1 for
what a person can mend.
"""

from __future__ import annotations

INTERRUPTED = 130


def main() -> None:
    """Runs the command line. Ctrl-C ends it without a word, also while it is still getting ready."""
    try:
        _run()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _run() -> None:
    from brain.cli.app import app
    from brain.cli.output import say
    from brain.errors import HopcheckError

    try:
        app(standalone_mode=True)
    except HopcheckError as err:
        say(f"brain: {err}")
        raise SystemExit(1) from None
    except BrokenPipeError:
        raise SystemExit(1) from None
