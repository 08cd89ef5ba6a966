"""One repository's GitHub data, collected from any number of files or pages in any order.

Comments, reviews and changed files find their issue or pull request by number; what finds none is
kept as a `remarks` record, so that loading the parts one after another gives the same graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from brain.connectors import github_shapes as shapes
from brain.connectors import github_structure as structure
from brain.connectors.github_fields import Malformed, Raw, number_in

Record = dict[str, Any]
COUNTED = (
    *("issues", "pulls", "pulls_merged", "pulls_closed", "pulls_open"),
    *("comments", "review_comments", "reviews", "labels", "releases", "commits", "skipped"),
)
MAX_NAMED = 200


class Skipped:
    """What was read and left out: malformed records one by one, known strangers by kind."""

    def __init__(self) -> None:
        self.named: list[Record] = []
        self.kinds: Counter[tuple[str, str]] = Counter()

    def bad(self, file: str, where: str, reason: str) -> None:
        """Note a malformed record; after the first few hundred only their number is kept."""
        if len(self.named) < MAX_NAMED:
            self.named.append({"kind": "skip", "reason": f"{where} {reason}".strip(), "file": file, "line": 0, "count": 1})
        else:
            self.other(file, "more malformed records")

    def other(self, file: str, reason: str, count: int = 1) -> None:
        """Note things that are fine and not stored."""
        self.kinds[file, reason] += count

    def take(self, other: Skipped) -> None:
        """Move what another has noted here."""
        self.named += other.named
        self.kinds.update(other.kinds)
        other.named, other.kinds = [], Counter()

    def records(self) -> Iterator[Record]:
        """The `skip` records."""
        yield from self.named
        for (file, reason), count in sorted(self.kinds.items()):
            yield {"kind": "skip", "reason": reason, "file": file, "line": 0, "count": count}


class Totals(Counter[str]):
    """Counts of what a source gave, as the import report shows them."""

    def add(self, record: Record) -> Record:
        """Count the record and hand it on."""
        kind = record["kind"]
        if kind in ("issue", "pull", "label", "release", "commit"):
            self[f"{kind}s"] += 1
        if kind == "pull":
            self[f"pulls_{record['state']}"] += 1
        if kind == "skip":
            self["skipped"] += record["count"]
        self["comments"] += len(record.get("comments", ()))
        self["reviews"] += len(record.get("reviews", ()))
        self["review_comments"] += len(record.get("inline", ()))
        self["review_comments"] += sum(len(review["comments"]) for review in record.get("reviews", ()))
        return record

    def record(self) -> Record:
        """The final `totals` record."""
        return {"kind": "totals", **{name: self[name] for name in COUNTED}}


def complete(record: Record) -> Record:
    """The issue, pull or remarks record with an id on every comment and each line comment in its review."""
    _number(record["comments"], "c")
    if record["kind"] == "issue":
        return record
    by_id = {review["id"]: review for review in record["reviews"] if review["id"]}
    left: list[Record] = []
    for remark in record["inline"]:
        home = by_id.get(remark["review"])
        (left if home is None else home["comments"]).append(remark)
    _number(record["reviews"], "r")
    for review in record["reviews"]:
        _number(review["comments"], f"{review['id']}-")
    _number(left, "l")
    return record | {"inline": left}


def _number(remarks: list[Record], prefix: str) -> None:
    """Give an id to what has none: its instant and author, which stay when others are added."""
    seen: Counter[str] = Counter()
    for remark in remarks:
        if not remark["id"]:
            stem = f"{prefix}{remark['at'] or 0}-{remark['author'] or 'nobody'}"
            seen[stem] += 1
            remark["id"] = stem if seen[stem] == 1 else f"{stem}-{seen[stem]}"


class Collected:
    """The records of one repository while they come in."""

    def __init__(self, repo: str) -> None:
        self.repo = repo
        self.info: Record | None = None
        self.labels: dict[str, Record] = {}
        self.releases: dict[str, Record] = {}
        self.commits: dict[str, Record] = {}
        self.people: dict[str, Record] = {}
        self.items: dict[int, Record] = {}
        self.thin: dict[int, Record] = {}
        self.remarks: dict[int, Record] = {}
        self.skipped = Skipped()

    def add(self, kind: str, raw: Raw, file: str, where: str) -> None:
        """Take one record of a kind that `kind_of` told; a malformed one is noted as skipped."""
        lost: list[str] = []
        try:
            self._take(kind, raw, file, lost)
        except Malformed as error:
            lost.append(str(error))
        for reason in lost:
            self.skipped.bad(file, where, reason)

    def _take(self, kind: str, raw: Raw, file: str, lost: list[str]) -> None:
        for person in structure.people(raw):
            self.people.setdefault(person["login"].lower(), person)
        if kind in ("issue", "pull"):
            self._take_item(raw, kind == "pull", file, lost)
        elif kind == "comment":
            self._of(number_in(raw))["comments"].append(shapes.comment(raw))
        elif kind == "review":
            self._of(number_in(raw))["reviews"].append(shapes.review(raw))
        elif kind == "review_comment":
            self._of(number_in(raw))["inline"].append(shapes.review_comment(raw))
        elif kind == "repo":
            self.info = structure.repository(raw, self.repo)
        elif kind == "label":
            record = structure.label(raw, self.repo)
            self.labels[record["name"]] = record
        elif kind == "release":
            record = structure.release(raw, self.repo)
            self.releases[record["tag"]] = record
        elif kind == "commit":
            record = structure.commit(raw, self.repo)
            self.commits[record["sha"]] = record
        elif kind == "person":
            found = structure.person(raw)
            if found is not None:
                self.people[found["login"].lower()] = found

    def _take_item(self, raw: Raw, pull: bool, file: str, lost: list[str]) -> None:
        thin = not pull and "pull_request" in raw
        record = shapes.item(raw, self.repo, pull or thin, lost) | {"file": file}
        for commit in structure.commits_of(raw):
            found = shapes.each([commit], lambda c: structure.commit(c, self.repo), [])
            self.commits.update({c["sha"]: c for c in found})
        if not thin:
            self.items[record["number"]] = record
            return
        record["thin"] = True
        self.thin[record["number"]] = record
        if record["state"] == "closed" and "merged_at" not in (raw["pull_request"] or {}):
            record["doubt"] = "closed pull request from a list of issues that does not say whether it was merged"

    def _of(self, number: int) -> Record:
        empty = {"kind": "remarks", "repo": self.repo, "number": number, "comments": [], "reviews": [], "inline": []}
        return self.remarks.setdefault(number, empty)

    def changed(self, number: int, files: Sequence[Raw], commits: Sequence[Raw], file: str) -> None:
        """Take the changed files and the commits of one pull request, which do not name it themselves."""
        lost: list[str] = []
        remarks = self._of(number)
        remarks["files"] = shapes.each(list(files), shapes.changed_file, lost)
        remarks["commits"] = [c["sha"] for c in commits if isinstance(c.get("sha"), str)]
        for commit in commits:
            self.add("commit", commit, file, f"commit of #{number}")
        for reason in lost:
            self.skipped.bad(file, f"#{number}", reason)

    @property
    def as_of(self) -> int:
        """The latest instant in the data: until then it is known to be right."""
        moments = [r.get("updated_at") or r["created_at"] for r in (*self.items.values(), *self.thin.values())]
        moments += [c["at"] for r in self.remarks.values() for name in ("comments", "reviews", "inline") for c in r[name]]
        moments += [r["at"] for r in self.releases.values()]
        return max((m for m in moments if m), default=0)

    @property
    def holds_something(self) -> bool:
        """Whether anything but skips came in."""
        return bool(self.info or self.labels or self.releases or self.commits or self.people or self.items or self.thin or self.remarks)

    def structure(self) -> Iterator[Record]:
        """The `repo` record where one was given, labels, releases, people and commits."""
        if self.info is not None:
            yield self.info
        for group in (self.labels, self.releases, self.people, self.commits):
            yield from group.values()

    def records(self) -> Iterator[Record]:
        """Every record but the source, structure first, then the totals."""
        totals = Totals()
        for record in self.structure():
            yield totals.add(record)
        for number, record in sorted((self.thin | self.items).items()):
            doubt = record.pop("doubt", None)
            if doubt:
                self.skipped.other(record["file"], doubt)
            yield totals.add(complete(_joined(record, self.remarks.pop(number, None))))
        for _, record in sorted(self.remarks.items()):
            yield totals.add(complete(record))
        for record in self.skipped.records():
            yield totals.add(record)
        yield totals.record()


def _joined(record: Record, remarks: Record | None) -> Record:
    if remarks is None:
        return record
    pull = record["kind"] == "pull"
    for name in ("comments", "reviews", "inline") if pull else ("comments",):
        known = {remark["id"] for remark in record[name] if remark["id"]}
        record[name] = record[name] + [remark for remark in remarks[name] if remark["id"] not in known]
    for name in ("files", "commits") if pull else ():
        if remarks.get(name) is not None:
            record[name] = remarks[name]
    return record


def merge(old: Record, new: Record) -> Record:
    """One record of what two partial loads say of the same issue or pull request: the new one wins,
    but takes nothing away that it merely does not tell, and doubles no comment.
    """
    if old["kind"] != new["kind"]:
        return new
    thin = bool(new.get("thin"))
    both = {name: value for name, value in old.items() if name not in ("thin", "gone")}
    for name, value in new.items():
        if name in ("comments", "reviews", "inline"):
            both[name] = _union(old.get(name) or [], value)
        elif value is not None and not (name == "thin" and not old.get("thin")) and not (thin and value in ("", [])):
            both[name] = value
    if thin and old.get("state") == "merged":
        both["state"] = "merged"
    return both


def _union(old: list[Record], new: list[Record]) -> list[Record]:
    """Remarks of both; the same one has the same instant, author and beginning, whatever its id."""
    known = {(r["at"], r["author"], r["body"][:80]) for r in old}
    fresh = [r for r in new if (r["at"], r["author"], r["body"][:80]) not in known]
    kept = [r for r in old if r["id"] not in {f["id"] for f in fresh}]
    return kept + fresh
