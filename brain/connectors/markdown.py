"""Markdown documents: decision records, runbooks, procedures, policies with rules, notices, registries with tables, incident
reports, and everything else that is written down. A document is its path from the base folder; its words are kept line by line.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from brain.connectors.company import Company
from brain.connectors.company_section import section
from brain.connectors.context import Context
from brain.connectors.dates import proves_day_first
from brain.connectors.folders import files_under
from brain.connectors.git_message import People
from brain.connectors.identities import slug
from brain.connectors.markdown_columns import Columns, checked, declared
from brain.connectors.markdown_kind import Document
from brain.connectors.markdown_library import Library, known_of, number_of
from brain.connectors.markdown_page import parse
from brain.connectors.markdown_roster import entries, readings
from brain.connectors.markdown_rows import document_rows
from brain.connectors.markdown_rules import stated_rules
from brain.connectors.markdown_tables import is_register, subjects
from brain.connectors.markdown_writer import Writer, access_of, times_of
from brain.connectors.references import EMAIL, redact
from brain.connectors.rulebook import KnownRule, RuleBook
from brain.connectors.tally import Tally
from brain.connectors.text_files import encoding_of, head_of, opened
from brain.errors import BadInput
from brain.records import Record
from brain.types import Origin as _Origin
from brain.types import Row, Skip

OPTIONS = {
    "columns": "a YAML file that declares more columns and kinds of tables (as brain/connectors/columns.yaml does)",
    "dates": "how a date such as 03/04/2024 is meant: day-first or month-first; else what other dates of the folder prove",
    "repo": "the repository the documents belong to, owner/name; else what the clone they lie in says",
}
ENDINGS = (".md", ".markdown", ".mdx", ".mdown", ".mkd")
_OTHER = {
    ".rst": "reStructuredText", ".adoc": "AsciiDoc", ".asciidoc": "AsciiDoc", ".org": "Org", ".textile": "Textile", ".docx": "Word",
    ".pdf": "PDF",
}  # fmt: skip
LARGEST = 5_000_000
_REMOTE = re.compile(r"github\.[\w.-]+[:/](?P<repo>[\w.-]+/[\w.-]+?)(?:\.git)?/?$")


def recognise(path: Path) -> bool:
    """Whether a file is a document in Markdown, or a folder holds one."""
    if path.is_dir():
        return any(recognise(file) for file in files_under([path]))
    return path.suffix.lower() in ENDINGS and bool(head_of(path, 4096).strip())


def fetch(
    paths: Sequence[Path], *, base: Path, name: str, access: str, identity_key: bytes, options: Mapping[str, str]
) -> Iterator[Record]:
    """The records of every document in the files and folders. Raises BadInput when there is none."""
    more = checked(Path(options["columns"]).expanduser()) if options.get("columns") else ""
    if options.get("dates", "day-first") not in ("day-first", "month-first"):
        raise BadInput(f"dates is {options['dates']!r}; legal: day-first, month-first")
    day_first = options["dates"] == "day-first" if "dates" in options else None
    reading = _Reading(base, options.get("repo", ""), People(identity_key), day_first)
    for record in section("markdown", paths, base=base, name=name, access=access, read=reading.read, wanted=_wanted):
        yield {**record, "columns": more} if record["kind"] == "source" else record


def _wanted(path: Path) -> bool:
    return path.suffix.lower() in ENDINGS or path.suffix.lower() in _OTHER


class _Reading:
    """Files on their way to records: decoded, without addresses, with the repository they lie in."""

    def __init__(self, base: Path, repo: str, people: People, day_first: bool | None) -> None:
        self._base, self._repo, self._people, self._day_first = base, repo, people, day_first
        self._proven: dict[Path, bool | None] = {}

    def read(self, path: Path, file: str, tally: Tally) -> Iterator[Record]:
        suffix = path.suffix.lower()
        if suffix in _OTHER:
            raise BadInput(f"{path}: is {_OTHER[suffix]}, which is not read; save it as Markdown")
        if suffix not in (*ENDINGS, ".txt", ""):
            raise BadInput(f"{path}: is no Markdown; its name ends in {suffix}")
        if path.is_symlink() and path.resolve().is_relative_to(self._base.resolve()):
            raise BadInput(f"{path}: is a link to another file")
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path}: is larger than {LARGEST // 1_000_000} MB")
        encoding = encoding_of(path)
        with opened(path, encoding) as stream:
            text = "\n".join(stream.read().splitlines())
        text = text.replace("\x00", "").lstrip("\ufeff")
        mail = {n: found for n, line in enumerate(text.split("\n"), 1) if "@" in line and (found := self._hashes(line))}
        tally.keep("doc")
        if encoding == "cp1252":
            tally.note("not UTF-8, read as Windows-1252")
        repo = self._repo or _repository(path.parent)
        more = {"mail": {str(n): found for n, found in mail.items()}, "repo": repo, "day_first": self._order(path.parent)}
        yield {"kind": "doc", "path": file, "line": 1, "text": redact(text), **{k: v for k, v in more.items() if v not in (None, "", {})}}

    def _order(self, folder: Path) -> bool | None:
        """How dates in numbers are meant in a folder: as was said, else as its documents prove."""
        if self._day_first is None and folder not in self._proven:
            files = sorted(p for p in folder.iterdir() if p.suffix.lower() in ENDINGS)
            self._proven[folder] = proves_day_first("\n".join(head_of(p, 4096) for p in files))
        return self._proven[folder] if self._day_first is None else self._day_first

    def _hashes(self, line: str) -> list[str]:
        idents = (self._people.ident("", match.group()) for match in EMAIL.finditer(line))
        return [str(ident["email"]) for ident in idents if ident.get("email")]


@lru_cache(maxsize=1024)
def _repository(folder: Path) -> str:
    """The repository of the clone that a folder lies in, empty when it lies in none that tells."""
    config = folder / ".git" / "config"
    if config.is_file():
        parser = configparser.ConfigParser(strict=False, interpolation=None)
        try:
            parser.read_string(re.sub(r"^\s+", "", config.read_text("utf-8", "replace"), flags=re.MULTILINE))
        except (configparser.Error, OSError):
            return ""
        remote = _REMOTE.search(parser.get('remote "origin"', "url", fallback=""))
        return remote["repo"] if remote else ""
    return _repository(folder.parent) if folder != folder.parent else ""


def known(record: Record, company: Company) -> None:
    """Tells the company of a document: its title, the people and things its lists make known, its rules."""
    if record["kind"] == "source":
        company.facts["markdown"]["columns"] = str(record.get("columns") or "")
        return
    if record["kind"] != "doc":
        return
    columns = declared(str(company.facts["markdown"].get("columns") or ""))
    document = Document(record["path"], parse(record["text"]), record.get("day_first"))
    times, access = times_of(document), access_of(document, str(record.get("access") or "open"))[0]
    rules = tuple(stated_rules(document, columns))
    known = known_of(document, times.at, times.since, access, rules)
    Library.of(company).add(known)
    company.thing(document.key, document.title.text, *known.names, document.stem)
    if known.decides:
        company.thing(known.key, document.title.text, *_numbered(number_of(document)))
    for rule in rules:
        RuleBook.of(company).tell(KnownRule(rule.key, rule.slot, document.key, rule.start, rule.applies))
    mail = {int(line): list(found) for line, found in (record.get("mail") or {}).items()}
    for entry in entries(document, columns, access, times.recorded, mail):
        if access == "restricted":  # nobody becomes known by a list that not everybody may read
            break
        company.account(entry.account)
        if team := entry.reading.cell(entry.row, "team"):
            Library.of(company).listed.add((entry.account.handle, team))
    if access != "restricted":
        _lists(document, columns, company)


def _numbered(number: int | None) -> list[str]:
    return [] if number is None else [f"ADR{sep}{number:0{width}d}" for sep in ("-", " ", "") for width in (1, 3, 4)]


def _lists(document: Document, columns: Columns, company: Company) -> None:
    """What the tables of a document make known: what they list, and the teams they name."""
    for table, reading in readings(document, columns):
        if reading is None or not is_register(document, table):
            continue
        if reading.subject >= 0 and reading.kind.name not in ("roster", "oncall", "rules"):
            for label, key, name in subjects(document, reading):
                company.listed(f"{label.lower()}:{key}", name)
        for row in table.rows if reading.kind.name == "roster" else ():
            Library.of(company).roles.update(filter(None, [slug(reading.cell(row, "role") or "")]))
            team = reading.cell(row, "team")
            if team and slug(team) and len(team.split()) <= 5 and "," not in team:
                company.thing(f"team:{slug(team)}", team, declared=False)


def rows(records: Iterator[Record], context: Context) -> Iterator[Row]:
    """The rows of one source's documents."""
    head = next(records, None)
    if head is None:
        return
    columns = declared(str(head.get("columns") or ""))
    for record in records:
        if record["kind"] == "skip":
            yield Skip(record["reason"], _Origin(str(record.get("file") or "?"), record.get("line") or 0), record.get("count", 1))
        elif record["kind"] == "doc":
            document = Document(record["path"], parse(record["text"]), record.get("day_first"))
            yield from document_rows(Writer(document, record, head["source"], context, columns))


