"""What every session of the process shares (the open brain, the jobs), and who this session is.

The viewer comes from the login the server checked, never from a widget, an address or a model.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

import streamlit as st

from brain import permissions, rulecopy, settings
from brain.brain import Brain
from brain.types import Viewer
from brain.ui.jobs import Jobs


@st.cache_resource(show_spinner=False)
def configured() -> settings.Settings:
    """The settings of this process."""
    return settings.load()


@st.cache_resource(show_spinner=False)
def brain(workspace: str) -> Brain:
    """The open brain of a workspace, shared by all sessions; copies that an earlier process left behind go."""
    opened = Brain.open(configured(), workspace)
    rulecopy.sweep(opened.store, workspace, opened.now())
    return opened


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """The jobs of this process."""
    return Jobs()


def start_embedding(brain: Brain, who: Viewer, held: Jobs) -> None:
    """Make the vectors that are missing, in a job of its own behind everything else."""
    if held.running("embedding") is None and brain.embedder is not None and brain.unembedded():
        held.start("embedding", f"Making vectors of {brain.workspace}", who.id, lambda job: brain.embed(job.report, job.cancelled))


def viewer() -> Viewer:
    """Who looks at this page."""
    return viewer_from(
        st.user.to_dict(),
        login=bool(st.get_option("server.trustedUserHeaders")) or _has_auth(),
        address=st.get_option("server.address") or "",
    )


def viewer_from(user: Mapping[str, object], *, login: bool, address: str) -> Viewer:
    """The viewer for what the server knows of the login.

    Without any login the app on this machine alone belongs to its administrator; one that
    other machines can reach shows strangers what is open and nothing else.
    """
    email = user.get("email")
    if login:
        return permissions.member(str(email).lower()) if email else permissions.guest()
    return permissions.local_admin() if _is_local(address) else permissions.guest()


def _is_local(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _has_auth() -> bool:
    try:
        return "auth" in st.secrets
    except FileNotFoundError:
        return False
