"""Which column or field of a ticket export means what. Names outside the list are reported, never guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import yaml

from brain.errors import BadInput

MANY = ("components", "labels", "comments", "links")
_LINK = re.compile(r"^(?:in|out)ward issue link \((.*)\)$")
_CUSTOM = re.compile(r"^custom field \((.*)\)$")


@cache
def names() -> dict[str, list[str]]:
    """Field -> the names it goes by, the best first, as `tickets.yaml` lists them."""
    return yaml.safe_load(Path(__file__).with_name("tickets.yaml").read_text("utf-8"))


@cache
def _spelled() -> dict[str, tuple[str, int]]:
    return {name: (field, rank) for field, listed in names().items() for rank, name in enumerate(listed)}



def spelled(name: str) -> str:
    """A column's name as it is compared: lower case, camel and snake case as words, without a note that its times are UTC."""
    name = re.sub(r"\s*\((?:UTC|GMT)\)\s*$", "", name, flags=re.IGNORECASE)
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name.strip().lstrip("\ufeff")).replace("_", " ").replace("-", " ")
    return " ".join(words.lower().split())


class Columns:
    """What the columns of one export mean: the person's own map first, then the known names."""

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        self._own = {spelled(name): field for name, field in (own or {}).items()}

    @classmethod
    def read(cls, option: str) -> Columns:
        """The map that an option states: "Issue key=id,Text=title", or a YAML file of such pairs. Raises BadInput."""
        pairs: dict[str, str] = {}
        if option.endswith((".yaml", ".yml")):
            pairs = _of_file(Path(option))
        else:
            for part in filter(str.strip, option.split(",")):
                name, found, field = part.partition("=")
                if not found:
                    raise BadInput(f"columns: {part.strip()!r} is no pair; write Column=field, fields are {', '.join(names())}")
                pairs[name.strip()] = field.strip()
        for name, field in pairs.items():
            if field and field not in names():
                raise BadInput(f"columns: {name!r} is to be {field!r}; legal: {', '.join(names())}, or nothing to pass it over")
        return cls(pairs)

    def field(self, name: str) -> tuple[str, int] | None:
        """The field a column holds and how good a name it is for it (0 is best); None for an unknown one."""
        plain = spelled(name)
        if plain in self._own:
            return self._own[plain], -1
        link = _LINK.match(plain)
        if link:
            return "links", 0
        custom = _CUSTOM.match(plain)
        found = _spelled().get(custom[1] if custom else plain)
        return (found[0], found[1] + 100) if found and custom else found

    def mapping(self, columns: Iterable[str]) -> tuple[dict[int, str], list[str]]:
        """Position -> field for the columns of an export, and the names of those that are not read.

        Of several columns that could hold a field that has one value, the best known name counts.
        """
        found: dict[int, str] = {}
        best: dict[str, tuple[int, int]] = {}
        unread: list[str] = []
        for position, name in enumerate(columns):
            meant = self.field(name)
            if meant is None or not meant[0]:
                unread += [name.strip()] if meant is None and name.strip() else []
                continue
            field, rank = meant
            if field in MANY:
                found[position] = field
            elif field not in best or rank < best[field][0]:
                if field in best:
                    found.pop(best[field][1])
                best[field] = (rank, position)
                found[position] = field
        return found, list(dict.fromkeys(unread))


def _of_file(path: Path) -> dict[str, str]:
    try:
        read = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"columns: {path} cannot be read: {error}") from None
    except yaml.YAMLError as error:
        raise BadInput(f"columns: {path} is not YAML: {str(error).splitlines()[0]}") from None
    if not isinstance(read, dict) or not all(isinstance(k, str) and isinstance(v, str | None) for k, v in read.items()):
        raise BadInput(f"columns: {path} must hold pairs of a column and a field")
    return {name: field or "" for name, field in read.items()}


_TELLING = frozenset({"priority", "assignee", "type", "resolution", "components", "group"})


def is_ticket(columns: Iterable[str]) -> bool:
    """Whether columns or fields of these names are those of tickets: an id, a title, how it stands, and more that tells.
    A mere name is no title here: too much else has one.
    """
    listed = [name for name in columns if spelled(name) != "name"]
    held = set(Columns().mapping(listed)[0].values())
    return {"id", "title", "state"} <= held and bool(held & _TELLING)
