"""Questions to start with, made from what is loaded: only such as have an answer there."""

from __future__ import annotations

from datetime import UTC, datetime

from brain.agents.wording import short
from brain.tools.asking import Asking


def suggestions(ctx: Asking) -> list[str]:
    """At most eight questions about the viewer's own services, rules, repositories, files, issues and people."""
    repos = ctx.run("busy_repo").rows
    files = ctx.run("hot_file").rows
    shipped = ctx.run("shipped_issue").rows
    reviewed = ctx.run("reviewed_pr").rows
    services, rules = ctx.run("needed_service").rows, ctx.run("a_rule").rows
    out = []
    if shipped:
        out.append(f"Which release first shipped the fix for issue {short(str(shipped[0]['key']))}?")
    if services:
        out.append(f"What breaks if {services[0]['name']} goes down?")
        out.append(f"Who owns {services[0]['name']}?")
    if rules:
        out.append(f"How has the rule \"{rules[0]['title']}\" changed over time?")
    if files:
        out.append(f"Who knows {files[0]['path']} in {files[0]['repo']} best?")
    if reviewed:
        out.append(f"Who reviewed {short(str(reviewed[0]['key']))}?")
    if repos:
        year = datetime.fromtimestamp(int(repos[0]["latest"]), UTC).year
        out.append(f"How many pull requests were merged in {repos[0]['name']} in {year}?")
    if len(files) > 1:
        out.append(f"Which files change together with {files[1]['path']} in {files[1]['repo']}?")
    if len(repos) > 1:
        out.append(f"Who contributed to both {repos[0]['name']} and {repos[1]['name']}?")
    if repos:
        out.append(f"Who left the most reviews in {repos[0]['name']}?")
    if shipped:
        out.append(f"Who reviewed the pull request that closed {short(str(shipped[-1]['key']))}?")
    return out[:8]
