"""An investigation on a terminal, the most important first: what it was, whom to page, what helped, and then why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.markup import escape
from rich.table import Table

from brain.cli.output import Console
from brain.incident import telling
from brain.incident.findings import ROLES, Investigation, Reason, Suspect
from brain.incident.timeline import KINDS, said, timeline

_MARK = {"cause": "[red]●[/]", "rival": "[yellow]◐[/]", "discounted": "[dim]○[/]"}
_WORDS = {"cause": "cause", "rival": "could be", "discounted": "discounted"}
_VERDICT = {"supported": "[green]✓[/]", "unsupported": "[red]✗[/]", "contradicted": "[red]✗[/]"}
_PEOPLE, _LINKS, _DISCOUNTED, _PAST, _EVENTS, _PASSAGES = 4, 4, 5, 4, 40, 6


def show(inv: Investigation, console: Console) -> None:
    """Prints the report."""
    _first(inv, console)
    _named(inv, console)
    _others(inv, console)
    _before(inv, console)
    _axis(inv, console)
    _claims(inv, console)
    _footer(inv, console)


def _first(inv: Investigation, console: Console) -> None:
    how = "graph" if inv.arm == "graph" else "passages alone, no graph"
    console.print(f"[bold]{escape(telling.alerted(inv))}[/], {telling.clock(inv.signal.at)} [dim]({how})[/]")
    console.print(f"[bold]{escape(telling.headline(inv))}[/]")
    if inv.error:
        console.print(f"[red]It ended early:[/] {escape(inv.error)}")
    _line(console, "Page", telling.whom(inv))
    for person in telling.paged(inv)[1:_PEOPLE]:
        _line(console, "then", f"{person.name}, {telling.reached(inv, person)}")
    _line(console, "Last time", telling.last_time(inv))
    _line(console, "Runbook", telling.listed(f"{t.name} ({t.key})" for t in telling.runbooks(inv)))
    _line(console, "Severity", f"{inv.severity.level}: {telling.because(inv.severity.reasons)}".removesuffix(": "))
    _line(console, "Thumb rule", telling.baseline(inv))
    _line(console, "Playbook", telling.followed(inv))
    _summary(inv, console)


def _summary(inv: Investigation, console: Console) -> None:
    """The summary where a model was to word it, with who worded which sentence."""
    if inv.worded is None:
        return
    by = f"worded by {inv.worded.model}" if inv.worded.model else "not worded by a model"
    console.print(f"  [bold]Summary[/] [dim]({escape(by)}; decided without it)[/]")
    for sentence in inv.worded.sentences:
        own = " [dim](the program's words)[/]" if sentence.by == "code" and inv.worded.model else ""
        console.print(f"    {escape(sentence.text)}{own}")
    if inv.worded.note:
        console.print(f"    [dim]{escape(inv.worded.note)}[/]")


def _line(console: Console, name: str, words: str) -> None:
    if words:
        console.print(f"  [bold]{name}[/]: {escape(words)}")


def _named(inv: Investigation, console: Console) -> None:
    for suspect in inv.causes:
        console.print()
        console.print(f"{_MARK[suspect.standing]} [bold]{escape(telling.change(inv, suspect))}[/], {telling.sure(suspect.confidence)}")
        if len(suspect.path) > 1:
            console.print(f"  way: {escape(_way(inv, suspect))}")
        pro, contra = telling.sides(suspect)
        _reasons(console, "+", pro)
        _reasons(console, "-", contra)
        for found in suspect.links[:_LINKS]:
            others = telling.listed((telling.called(inv, key) for key in found.others), most=3)
            what = f"{telling.called(inv, found.src)}: {found.text}{f'; would fit as well: {others}' if others else ''}"
            console.print(f"  [dim]linked: {escape(what)}[/]")


def _way(inv: Investigation, suspect: Suspect) -> str:
    names = [telling.called(inv, key) for key in suspect.path]
    rels = [rel.replace("_", " ").lower() for rel in suspect.rels]
    return names[0] + "".join(f" -[{rel}]- {name}" for rel, name in zip(rels, names[1:], strict=False))


def _reasons(console: Console, sign: str, reasons: Iterable[Reason]) -> None:
    for reason in reasons:
        cites = f" [dim]{escape(', '.join(reason.cites[:4]))}[/]" if reason.cites else ""
        console.print(f"  {sign} {abs(reason.points):.1f}  {escape(reason.text)}{cites}")


def _others(inv: Investigation, console: Console) -> None:
    ruled_out = [s for s in inv.suspects if s.standing == "discounted"]
    if ruled_out:
        console.print("\n[bold]Ruled out[/]")
        for s in ruled_out[:_DISCOUNTED]:
            why = telling.against(s)
            console.print(f"  {_MARK['discounted']} {escape(telling.change(inv, s))}{escape(f': {why}') if why else ''}")
        if len(ruled_out) > _DISCOUNTED:
            console.print(f"  and {len(ruled_out) - _DISCOUNTED} more; --json has them all")
    clean = telling.clean(inv)
    if clean:
        console.print("\n[bold]Checked and clean[/]")
    for words, on in clean.items():
        console.print(f"  [green]✓[/] {escape(words)}: {escape(telling.listed(on, most=30))}")
    for person in telling.passed_over(inv):
        console.print(f"  [dim]not paged: {escape(person.name)} ({escape(telling.why_paged(person))}): {escape(person.skipped)}[/]")
    if inv.affected:
        hit = telling.listed((f"{a.name} ({a.hops})" for a in sorted(inv.affected, key=lambda a: a.hops)), most=12)
        console.print(f"\n[bold]May be hit[/] (hops away): {escape(hit)}")


def _before(inv: Investigation, console: Console) -> None:
    if inv.past:
        console.print("\n[bold]Like it before[/]")
    for p in telling.worth_telling(inv)[:_PAST]:
        causes = telling.listed(telling.called(inv, key) for key in p.causes) or telling.NOT_KNOWN
        console.print(f"  {escape(telling.told(p))} [dim]{p.likeness:.0%}[/]: {escape(p.why)}")
        console.print(f"    caused by {escape(causes)}; fixed by {escape(telling.remedy(inv, p))}")
    for r in (r for r in inv.recorded if r.causes or r.fixes):
        causes = telling.listed(telling.called(inv, key) for key in r.causes) or telling.NOT_KNOWN
        console.print(f"  [dim]written down afterwards, not used: {escape(r.name)}: caused by {escape(causes)}[/]")
    if inv.passages:
        console.print("\n[bold]Passages[/]")
    for passage in inv.passages[:_PASSAGES]:
        console.print(f"  {passage.score:.2f} {escape(passage.title)} [dim]{escape(passage.source)}, line {passage.line}[/]")


def _axis(inv: Investigation, console: Console) -> None:
    events = timeline(inv)
    if not events:
        return
    table = Table("UTC", "kind", "what", box=None, pad_edge=False)
    for event in events[-_EVENTS:]:
        table.add_row(telling.minute(event.at), KINDS.get(event.kind, event.kind).lower(), escape(said(inv, event)))
    console.print()
    console.print(table)


def _claims(inv: Investigation, console: Console) -> None:
    if inv.claims or inv.dropped:
        console.print("\n[bold]Claim by claim[/]")
    for claim in inv.claims:
        reason = f" [dim]{escape(claim.reason)}[/]" if claim.reason and claim.verdict != "supported" else ""
        console.print(f"  {_VERDICT[claim.verdict]} {escape(claim.text)} [dim]{escape(', '.join(claim.cites[:4]))}[/]{reason}")
    for claim in inv.dropped:
        console.print(f"  [red]dropped[/] {escape(claim.text)} [dim]{escape(claim.reason)}[/]")


def _footer(inv: Investigation, console: Console) -> None:
    left = [role for role in ROLES if role not in inv.roles]
    more = f" · left to do: {', '.join(left)}; brain incident --resume {inv.id}" if left and inv.state != "complete" else ""
    console.print(f"\n[dim]investigation {inv.id} · {inv.state} · {len(inv.steps)} steps · {inv.usage.ms:.0f} ms{escape(more)}[/]")


def table(rows: Sequence[dict[str, object]]) -> Table:
    """Kept investigations, newest first."""
    made = Table("id", "alert", "outcome", "when")
    for row in rows:
        state = str(row["outcome"]) if row["state"] == "complete" else str(row["state"])
        at = row["at"] if isinstance(row["at"], int) else 0
        made.add_row(escape(str(row["id"])), escape(str(row["title"] or row["alert"])), state, telling.clock(at))
    return made
