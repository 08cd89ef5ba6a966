"""The tools: every query file of kind `query`, and the few that need more than a file. The folders are
the list; a module here that has no `TOOLS` supports the others.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from brain.catalogue import Catalogue
from brain.errors import DefinitionError
from brain.tools.asking import Asking, Tool, of_query

__all__ = ["Asking", "Tool", "tools"]


@cache
def _modules() -> tuple[Tool, ...]:
    found: list[Tool] = []
    for info in pkgutil.iter_modules(__path__):
        found += getattr(importlib.import_module(f"{__name__}.{info.name}"), "TOOLS", ())
    return tuple(found)


def tools(catalogue: Catalogue) -> Mapping[str, Tool]:
    """Every tool by name, in the order of the names."""
    found = {query.name: of_query(query) for query in catalogue.of_kind("query")}
    for tool in _modules():
        if tool.name in found:
            raise DefinitionError(f"there are two tools called {tool.name}: a query file and a module of brain/tools")
        found[tool.name] = tool
    return dict(sorted(found.items()))
