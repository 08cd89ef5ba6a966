"""Every error has an addressee: the person (what to do), the model or caller of a tool (bad
arguments), or us (anything else, which is left to raise).
"""


class HopcheckError(Exception):
    """Something a person can mend; the message is one line that says how. The CLI exits 1 on it."""


class BadInput(HopcheckError):
    """Data or a path given by a person cannot be used; names the file and, where known, the line."""


class StoreDown(HopcheckError):
    """The database cannot be reached or started; says what was tried."""


class SchemaError(BadInput):
    """A record breaks the schema: unknown label or relationship, wrong domain or range, bad key."""


class DefinitionError(HopcheckError):
    """A query file, question set or mapping of ours is wrong; names file, line and the fix."""


class ToolError(HopcheckError):
    """A tool was called with arguments it cannot use; addressed to whoever called it. One line, cut in the middle where an
    argument that it names is long.
    """

    LONGEST = 500

    def __init__(self, message: str) -> None:
        line = " ".join(message.splitlines())
        super().__init__(line if len(line) <= self.LONGEST else f"{line[: self.LONGEST - 100]} … {line[-97:]}")


class Cancelled(HopcheckError):
    """A person stopped the work; what was finished before is kept."""


class ModelDown(HopcheckError):
    """No model answered; says which were tried and why each did not."""


class ModelRefused(ModelDown):
    """A model answered that it does not do what was asked for, such as tools or a schema."""


class BudgetSpent(HopcheckError):
    """A budget for models does not allow another exchange; says which one, how much of it is spent and when it begins anew. `scope`
    is what it is a budget of.
    """

    def __init__(self, message: str, scope: str = "") -> None:
        super().__init__(message)
        self.scope = scope
