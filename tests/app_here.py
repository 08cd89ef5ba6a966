"""The pages of the app in the process of the tests, at a home and workspace of the tests' own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import streamlit as st

from brain import settings
from brain.settings import Settings


@contextmanager
def app_here(home: Path, workspace: str, **env: str) -> Iterator[Settings]:
    """The app of this process is that of the home and the workspace, and keeps nothing of what it was before."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"BRAIN_HOME": str(home), "BRAIN_WORKSPACE": workspace, **env}.items():
            patch.setenv(name, value)
        st.cache_resource.clear()
        yield settings.load()
        st.cache_resource.clear()
