"""The whole vocabulary of the graph, declared once: labels, keys and relationships. `brain.admission` holds rows against it.

A label or relationship that is not here cannot be loaded. Adding one is one entry in this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from brain.errors import SchemaError

Kind = Literal["structure", "source"]
Class = Literal["record", "assertion", "derived", "access"]

MAX_KEY_BYTES = 4096
FORMAT = "2"  # raised when queries need what graphs made before do not hold; such a graph is made anew from its records
ACCESS_LABELS = ("open", "internal", "restricted")
AUTHORITIES = ("formal_rule", "practice", "observation", "record")
STATES = ("candidate", "approved", "rejected")

COMMON_PROPS = ("source", "at", "access", "aud", "gone", "url")
ASSERTION_PROPS = (
    "aid",
    "authority",
    "state",
    "valid_from",
    "valid_to",
    "recorded_at",
    "evidence",
    "access_key",
    "scope",
    "conditions",
    "rule",
    "access",
    "aud",
)


@dataclass(frozen=True)
class NodeType:
    """A label: its key prefix, whether it holds text (source) or is open structure, and its props."""

    label: str
    prefix: str
    kind: Kind
    meaning: str
    props: tuple[str, ...] = ()


@dataclass(frozen=True)
class RelType:
    """A relationship: what it may join, what it says, its class, and whether it is a hub.

    A hub (everything hangs on it) never proves a citation.
    """

    name: str
    domain: tuple[str, ...]
    range: tuple[str, ...]
    meaning: str
    cls: Class
    hub: bool = False
    props: tuple[str, ...] = ()


def _n(label: str, prefix: str, kind: Kind, meaning: str, *props: str) -> NodeType:
    return NodeType(label, prefix, kind, meaning, props)


NODES: dict[str, NodeType] = {
    n.label: n
    for n in (
        _n("Repo", "repo", "structure", "A repository.", "org", "short", "default_branch", "aliases", "description", "topics", "archived", "complete_until"),
        _n("Person", "person", "structure", "A person or a bot.", "login", "avatar", "bot", "departed_at", "first_at", "last_at", "names", "company", "generated", "title", "contact", "unknown"),
        _n("Team", "team", "structure", "A group of people.", "aliases", "parent", "kind", "description", "contact", "unknown"),
        _n("Account", "account", "structure", "An account or list entry under which a person appears.", "system", "handle", "names"),
        _n("Role", "role", "structure", "A role that people hold.", "aliases"),
        _n("Channel", "channel", "structure", "A chat channel.", "private", "aliases"),
        _n("Service", "service", "structure", "Something that runs.", "tier", "lifecycle", "kind", "aliases", "description", "system", "repo", "path", "contact", "unknown"),
        _n("Module", "module", "structure", "A part of a product that people are responsible for.", "aliases", "description", "unknown"),
        _n("Project", "project", "structure", "A project people work on.", "aliases", "description"),
        _n("System", "system", "structure", "Several services that belong together.", "aliases", "description", "unknown"),
        _n("Domain", "domain", "structure", "A business area that holds systems.", "aliases", "description", "unknown"),
        _n("Api", "api", "structure", "An interface a service provides.", "aliases", "kind", "lifecycle", "description", "unknown"),
        _n("Resource", "resource", "structure", "Infrastructure a service uses.", "kind", "aliases", "description", "unknown"),
        _n("Directory", "dir", "structure", "A directory of a repository.", "repo", "path", "depth", "unowned"),
        _n("File", "file", "structure", "A file of a repository, under its latest name.", "repo", "path", "base", "ext", "exists", "earlier_names", "born_at", "changed_at", "unowned"),
        _n("Concept", "concept", "structure", "A term of the organisation.", "terms", "kind", "uses"),
        _n("Release", "release", "structure", "A tag or published release.", "repo", "tag", "published_at", "prerelease", "body", "sha", "draft", "author"),
        _n("PullRequest", "pr", "source", "A pull request.", "repo", "number", "title", "state", "created_at", "merged_at", "closed_at", "updated_at", "merge_sha", "head_sha", "labels", "draft", "base", "author", "merged_by", "assignees", "milestone", "merge_how", "n_files", "generated"),
        _n("Issue", "issue", "source", "An issue.", "repo", "number", "title", "state", "state_reason", "created_at", "closed_at", "updated_at", "labels", "author", "assignees", "milestone", "closed_by"),
        _n("Commit", "commit", "source", "A commit.", "repo", "sha", "subject", "authored_at", "on_default", "merge", "reverts", "reverted_by", "n_files", "bot"),
        _n("Doc", "doc", "source", "A document.", "path", "title", "status", "kind", "aliases", "number", "updated_at", "reviewed_at"),
        _n("Decision", "decision", "source", "A decision with its reason.", "title", "number", "topic", "stated", "reason", "doc", "waits", "waits_for"),
        _n("Rule", "rule", "source", "A rule that is or was in force.", "title", "slot", "value", "conditions", "valid_from", "valid_to", "authority", "doc", "subject"),
        _n("Thread", "thread", "source", "A chat thread.", "channel", "title", "n"),
        _n("Message", "message", "source", "A chat message.", "channel", "author", "edited_at"),
        _n("Ticket", "ticket", "source", "A ticket.", "title", "state", "created_at", "closed_at", "updated_at", "priority", "kind", "labels", "system", "component", "resolution", "assignee", "author"),
        _n("Deploy", "deploy", "source", "A deployment, or a change of a feature flag.", "kind", "version", "env", "sha", "status", "repo", "author", "ended_at", "rollback", "description"),
        _n("Alert", "alert", "source", "An alert.", "title", "severity", "status", "ended_at", "fingerprint", "labels", "system"),
        _n("Incident", "incident", "source", "An incident.", "title", "severity", "status", "ended_at", "doc", "system"),
        _n("Finding", "finding", "source", "Something an investigation found.", "title"),
        _n("Chunk", "chunk", "source", "A passage of a source's text.", "text", "ft", "ft_max", "ft_norm", "emb", "src", "src_label", "title", "line", "line_end", "n", "hash", "author", "repo", "kind", "part"),
    )
}

ENTITY = tuple(NODES)
SOURCES = tuple(n.label for n in NODES.values() if n.kind == "source")
LABEL_OF_PREFIX = {n.prefix: n.label for n in NODES.values()}

SLOTS = {"OWNS": "dst", "TECH_LEAD_OF": "dst", "MAINTAINED_BY": "src", "REPORTS_TO": "src"}
"""Assertions of which one end has one other end at a time: where two say otherwise, they contradict each other."""

_TEAMED = ("Service", "Module", "Team", "Repo", "Project", "Role", "System", "Domain", "Api", "Resource", "Directory")
_WORK = ("PullRequest", "Issue", "Commit", "Ticket", "Doc", "Decision", "Rule", "Thread", "Message", "Incident", "Alert", "Deploy", "Release", "Finding")
_OWNED = ("Repo", "Service", "Module", "Project", "System", "Domain", "Api", "Resource", "Directory", "File", "Doc")
_RUNS = ("Service", "Module", "Api", "Resource", "System", "Repo", "Project")


def _r(
    name: str,
    domain: tuple[str, ...],
    range_: tuple[str, ...],
    cls: Class,
    meaning: str,
    *props: str,
    hub: bool = False,
) -> RelType:
    return RelType(name, domain, range_, meaning, cls, hub, props)


RELS: dict[str, RelType] = {
    r.name: r
    for r in (
        # record: an event a system of record holds
        _r("AUTHORED", ("Person",), ("PullRequest", "Commit", "Issue", "Doc", "Message", "Ticket", "Release"), "record", "The person wrote it.", "co", "how"),
        _r("OPENED", ("Person",), ("Issue", "PullRequest", "Ticket", "Incident"), "record", "The person opened it."),
        _r("REVIEWED", ("Person",), ("PullRequest",), "record", "The person reviewed it.", "state", "how"),
        _r("MERGED", ("Person",), ("PullRequest",), "record", "The person merged it."),
        _r("COMMENTED_ON", ("Person",), ("PullRequest", "Issue", "Commit", "Ticket"), "record", "The person commented on it.", "inline"),
        _r("TOUCHED", ("PullRequest", "Commit"), ("File",), "record", "The change changes the file.", "status", "added", "deleted", "path"),
        _r("IN_DIR", ("File", "Directory"), ("Directory",), "record", "It lies in the directory."),
        _r("IN_REPO", ("PullRequest", "Issue", "Commit", "Release", "File", "Directory", "Doc"), ("Repo",), "record", "It belongs to the repository.", hub=True),
        _r("CLOSES", ("PullRequest", "Commit"), ("Issue", "Ticket", "PullRequest"), "record", "The change closes it.", "crossRepo", "keyword"),
        _r("REFERENCES", _WORK, (*_WORK, "File", "Directory"), "record", "Its text refers to the other.", "crossRepo"),
        _r("SHIPPED_IN", ("PullRequest", "Commit"), ("Release",), "record", "First release that contains the change."),
        _r("MENTIONS", ("PullRequest", "Issue", "Commit", "Release", "Ticket", "Doc", "Decision", "Rule", "Thread", "Message", "Repo", "Incident", "Alert"), ("Concept", "Person", "Service", "Module", "Repo", "File", "Team", "System", "Resource", "Api"), "record", "Its text names the thing.", "n", "line"),
        _r("INCLUDES", ("PullRequest", "Release", "Deploy"), ("Commit", "PullRequest"), "record", "The change or deployment consists of it.", "how"),
        _r("DEPLOYED_TO", ("Deploy",), ("Service", "Resource", "Repo"), "record", "It was deployed there."),
        _r("MODIFIES", ("Ticket", "Deploy", "PullRequest"), ("Service", "Resource", "Module"), "record", "The change alters it."),
        _r("FIRED_ON", ("Alert",), ("Service", "Resource"), "record", "The alert fired on it."),
        _r("REPORTED_IN", ("Incident", "Ticket"), ("Thread", "Message", "Doc", "Channel"), "record", "Where it was reported."),
        _r("ABOUT", ("Thread", "Message", "Ticket", "Doc", "Incident", "Decision", "Rule", "Alert"), (*_TEAMED, "Concept", "File", "Incident", "Alert"), "record", "What it is about."),
        _r("POSTED", ("Person",), ("Message",), "record", "The person wrote the message."),
        _r("IN_THREAD", ("Message",), ("Thread",), "record", "The message belongs to the thread."),
        _r("DISCUSSED_IN", ("Ticket", "Incident", "Decision", "Rule", "PullRequest", "Issue"), ("Thread", "Message", "PullRequest", "Issue"), "record", "Where it was discussed."),
        _r("PART_OF", ("Chunk", "Service", "System", "Domain", "Api", "Resource", "Module", "Thread", "Team", "Decision", "Rule", "Project"), ENTITY, "record", "It is a part of the other.", hub=True),
        _r("PROVIDES", ("Service",), ("Api",), "record", "The service provides the interface."),
        # assertion: a claim somebody made, which can be wrong or end
        _r("OWNS", ("Person", "Team"), _OWNED, "assertion", "Answers for it."),
        _r("TECH_LEAD_OF", ("Person",), ("Service", "Module", "Project", "Team", "System", "Api", "Resource", "Repo"), "assertion", "Leads it technically."),
        _r("MAINTAINED_BY", ("Doc", "Repo"), ("Person", "Team"), "assertion", "Keeps the document up to date; says nothing of what it describes."),
        _r("HOLDS_ROLE", ("Person",), ("Role",), "assertion", "Holds the role."),
        _r("REPORTS_TO", ("Person",), ("Person",), "assertion", "The other is their manager."),
        _r("ON_CALL_FOR", ("Person", "Team"), ("Team", "Service", "System"), "assertion", "Is paged for it.", "rank"),
        _r("WORKS_ON", ("Person", "Team"), ("Project", "Module", "Service"), "assertion", "Works on it."),
        _r("USES", ("Service", "Module", "Project", "Team"), ("Service", "Api", "Resource", "Concept", "Module"), "assertion", "Uses it."),
        _r("DEPENDS_ON", _RUNS, _RUNS, "assertion", "Needs it to work."),
        _r("HANDLED_BY", ("Ticket", "Incident", "Alert"), ("Person",), "assertion", "The person worked on it.", "what"),
        _r("ASSIGNED_TO", ("Ticket", "Issue", "PullRequest", "Incident"), ("Person", "Team"), "assertion", "It is theirs to do."),
        _r("DECIDED", ("Person", "Team"), ("Decision", "Rule"), "assertion", "Made the decision."),
        _r("WROTE", ("Person",), ("Doc", "Decision", "Rule"), "assertion", "Wrote it."),
        _r("JUSTIFIED_BY", ("Decision", "Rule"), _WORK, "assertion", "The reason is there."),
        _r("CAUSED_BY", ("Incident", "Alert"), ("Deploy", "PullRequest", "Ticket", "Commit"), "assertion", "The other caused it."),
        _r("FIXED_BY", ("Incident", "Alert", "Ticket"), ("Deploy", "PullRequest", "Ticket", "Commit"), "assertion", "The other put it right."),
        _r("SUPERSEDES", ("Decision", "Rule", "Doc"), ("Decision", "Rule", "Doc"), "assertion", "Replaces the other, wholly or in its scope."),
        _r("APPLIES_TO", ("Rule", "Decision"), _TEAMED, "assertion", "The rule binds it."),
        _r("HAS_RESOURCE", ("Service", "Module", "Project"), ("Resource", "Doc"), "assertion", "The resource belongs to it."),
        _r("SAME_AS", ("Account", "Person"), ("Person",), "assertion", "Both are one person."),
        _r("SIMILAR_TO", _WORK, _WORK, "assertion", "They describe the same symptom."),
        # derived: computed in Cypher after each load
        _r("KNOWS", ("Person",), ("Repo", "Directory", "File", "Concept", "Service"), "derived", "Changed or reviewed it.", "authored", "reviewed", "commits", "last_at", "derived_by", "basis"),
        _r("REVIEWS_FOR", ("Person",), ("Person",), "derived", "Reviews the other's changes.", "n", "last_at", "derived_by", "basis"),
        _r("CO_CHANGES", ("File",), ("File",), "derived", "Both change together.", "n", "last_at", "derived_by", "basis"),
        _r("CONTRIBUTES_TO", ("Person",), ("Repo",), "derived", "Had changes accepted there.", "prs", "commits", "reviews", "first_at", "last_at", "derived_by", "basis"),
        _r("HAS_CONTRIBUTOR", ("Repo",), ("Person",), "derived", "The reverse of CONTRIBUTES_TO.", "prs", "commits", "last_at", "derived_by", "basis", "reviews", "first_at"),
        _r("CODE_IN", ("Service",), ("Repo", "Directory"), "derived", "Its code lies there.", "derived_by", "basis"),
        _r("PROVIDED_BY", ("Api",), ("Service",), "derived", "The reverse of PROVIDES.", "derived_by", "basis"),
        _r("EXPERT_IN", ("Person",), ("Concept", "Service", "Module"), "derived", "Worked on it repeatedly.", "score", "last_at", "derived_by", "basis"),
        # access
        _r("VISIBLE_TO", SOURCES, ("Team", "Role", "Channel", "Person"), "access", "They may read it.", hub=True),
        _r("HAS_ROLE", ("Person",), ("Role",), "access", "Has the role.", "valid_from", "valid_to", hub=True),
        _r("IN_CHANNEL", ("Person", "Thread", "Message"), ("Channel",), "access", "Is in the channel.", "valid_from", "valid_to", hub=True),
        _r("MEMBER_OF", ("Person", "Team"), ("Team",), "assertion", "Belongs to the team.", hub=True),
    )
}
HUBS = tuple(r.name for r in RELS.values() if r.hub)
ASSERTIONS = tuple(r.name for r in RELS.values() if r.cls == "assertion")


def label_of(key: str) -> str:
    """The label that a key's prefix stands for; raises SchemaError for an unknown prefix."""
    prefix = key.partition(":")[0]
    if prefix not in LABEL_OF_PREFIX:
        raise SchemaError(f"key {key!r} has an unknown prefix; legal: {', '.join(sorted(LABEL_OF_PREFIX))}")
    return LABEL_OF_PREFIX[prefix]
