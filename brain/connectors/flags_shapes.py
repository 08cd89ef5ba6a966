"""Changes of feature flags as LaunchDarkly, Unleash, Flagsmith and GrowthBook record them, and lines of JSON, brought to one record
each. What turns nothing on or off (a tag, a favourite, a description) is no change of a flag here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from brain.connectors.git_message import People
from brain.connectors.record_fields import NoTime, instant, line, name_in, text, url

Raw = Mapping[str, Any]
_FLAG = ("flag", "flag_key", "flagKey", "flag_name", "flagName", "feature_flag", "featureFlag", "feature_key", "toggle", "toggleName")
_TITLES = {"title", "subject", "summary"}
_AT = ("at", "date", "timestamp", "time", "created_at", "createdAt", "changed_at", "changedAt", "updated_at", "updatedAt")
_BY = ("by", "author", "user", "member", "actor", "changed_by", "changedBy", "createdBy", "created_by", "editor")
_DID = ("action", "change", "event", "type", "status", "state")
_FROM = ("from", "before", "old", "old_value", "oldValue", "previous")
_TO = ("to", "after", "new", "new_value", "newValue", "value", "enabled", "on")
_ENV = ("environment", "env", "environmentName", "stage")
_SERVICE = ("service", "services", "service_name", "serviceName", "application", "app", "component")
_MARKS = r"(?:;(?:\{[^}]*\}|[^:{])*)?"
_RESOURCE = re.compile(
    rf"^proj/(?P<project>[^:;]+){_MARKS}:env/(?P<env>[^:;]+){_MARKS}:flag/(?P<flag>[^:;]+)(?:;(?P<tags>[^{{]*))?"
)
_LOGGED = re.compile(r"(?:feature|created|deleted|updated|changed)\s*:\s*(?P<flag>[\w.:/-]+)|'(?P<quoted>[^']+)'", re.I)
_NOTHING = re.compile(
    r"favorited|tagged|potentially|metadata|link-|dependenc|comment|description|maintainer|updateName|updateTags|completed"
)
_ON = ("on", "true", "enabled", "enable", "active", "activated", "turned on", "turn on", "updateon", "start", "started")
_OFF = ("off", "false", "disabled", "disable", "inactive", "deactivated", "turned off", "turn off", "killed", "kill", "stopped", "archived")


def kind_of(raw: Any) -> str | None:
    """The system that an object is a change of a flag of, `lines` for a plain one; None for anything else."""
    if not isinstance(raw, Mapping):
        return None
    if isinstance(raw.get("accesses"), list) and "date" in raw and ("titleVerb" in raw or "kind" in raw):
        return "launchdarkly"
    if str(raw.get("type", "")).startswith("feature-") and "createdAt" in raw:
        return "unleash"
    if ("related_object_type" in raw and "log" in raw) or raw.get("event_type") in ("FLAG_UPDATED", "FLAG_DELETED"):
        return "flagsmith"
    if str(raw.get("event", "")).startswith("feature.") and isinstance(raw.get("data"), Mapping):
        return "growthbook"
    named = any(raw.get(name) and isinstance(raw[name], str | Mapping) for name in _FLAG) and not _TITLES & raw.keys()
    timed = any(raw.get(name) not in (None, "") for name in _AT)
    return "lines" if named and timed and any(name in raw for name in (*_DID, *_TO)) else None


def record(raw: Raw, kind: str, people: People) -> dict[str, Any]:
    """The record of a change. Raises ValueError for what is no change of a flag, or has no name or time."""
    made = _SHAPES[kind](raw)
    flag, at = line(made["flag"]), _time(made["at"])
    if not flag:
        raise ValueError("names no flag")
    if at is None:
        raise ValueError("does not say when")
    env, who = line(made.get("env")), str(made.get("by") or "")
    system = str(made.get("system") or kind)
    ident = people.ident("" if "@" in who else line(who), str(made.get("email") or (who if "@" in who else "")))
    id_ = line(made.get("id")) or re.sub(r"\s+", "-", f"{flag}-{env}-{at}")
    return {
        "kind": "flag", "id": f"{system}/{id_}", "system": kind, "flag": flag, "at": at, "env": env,
        "action": _did(made.get("action", ""), made.get("from", ""), made.get("to", "")), "from": line(made.get("from")),
        "to": line(made.get("to")), "by": dict(ident), "services": _names(made.get("services")), "project": line(made.get("project")),
        "tags": _tags(made.get("tags")), "description": text(made.get("description")), "url": url(made.get("url")),
    }  # fmt: skip


def _did(action: Any, before: Any, after: Any) -> str:
    """What was done: enabled, disabled, created, deleted or updated; the values decide where the action is of no known word."""
    said = re.sub(r"[_-]+", " ", line(action).lower())
    for word in ("disabled", "enabled", "deleted", "created"):
        if re.search(rf"\b{word.removesuffix('d')}d?\b", said):
            return word
    if said in _OFF or said in _ON:
        return "disabled" if said in _OFF else "enabled"
    if line(after).lower() in (*_ON, *_OFF) and line(after).lower() != line(before).lower():
        return "disabled" if line(after).lower() in _OFF else "enabled"
    return "updated"


# -- LaunchDarkly ----------------------------------------------------------------------------


def _launchdarkly(raw: Raw) -> dict[str, Any]:
    if raw.get("kind") not in (None, "flag"):
        raise ValueError(f"is a change of a {line(raw.get('kind'))}, not of a flag")
    named = [(one, _RESOURCE.match(str(one.get("resource")))) for one in raw["accesses"] if isinstance(one, Mapping)]
    found = next(((one, m) for one, m in named if m and not _NOTHING.search(str(one.get("action")))), None)
    if found is None:
        raise ValueError("turns nothing on or off")
    access, place = found
    did, verb = line(access.get("action")), line(raw.get("titleVerb"))
    before, after = ("false", "true") if "turned on" in verb else ("true", "false") if "turned off" in verb else ("", "")
    by = _map(raw.get("member"))
    env = "" if place["env"] == "*" else place["env"]
    tags = str(place["tags"] or "").split(",")
    return {
        "id": raw.get("_id"), "flag": place["flag"], "at": raw.get("date"), "env": env, "project": place["project"], "tags": tags,
        "by": _joined(by.get("firstName"), by.get("lastName")) or raw.get("actorName"), "email": by.get("email"),
        "action": verb if after else "created" if did.startswith("create") else "deleted" if did.startswith("delete") else "updated",
        "from": before, "to": after, "description": "\n".join(filter(None, (text(raw.get("description")), text(raw.get("comment"))))),
        "url": _link(raw),
    }  # fmt: skip


def _link(raw: Raw) -> Any:
    links = raw.get("_links")
    site = links.get("site") if isinstance(links, Mapping) else None
    return site.get("href") if isinstance(site, Mapping) else None


# -- Unleash, Flagsmith, GrowthBook ----------------------------------------------------------


def _unleash(raw: Raw) -> dict[str, Any]:
    what = line(raw.get("type"))
    if _NOTHING.search(what):
        raise ValueError("turns nothing on or off")
    data, before = _map(raw.get("data")), _map(raw.get("preData"))
    rolled = [line(_map(one.get("parameters")).get("rollout")) for one in (before, data)]
    share = [f"{one}%" if one else "" for one in rolled] if rolled[0] != rolled[1] else ["", ""]
    return {
        "id": raw.get("id"), "flag": raw.get("featureName") or data.get("name"), "at": raw.get("createdAt"), "env": raw.get("environment"),
        "project": raw.get("project"), "tags": raw.get("tags"), "by": raw.get("createdBy"),
        "action": what.removeprefix("feature-environment-").removeprefix("feature-"), "from": share[0], "to": share[1],
        "description": raw.get("label") or raw.get("summary") or what.replace("-", " "),
    }  # fmt: skip


def _flagsmith(raw: Raw) -> dict[str, Any]:
    if "event_type" in raw:
        data = _map(raw.get("data"))
        new, old = _map(data.get("new_state")), _map(data.get("previous_state"))
        feature, values = _map(new.get("feature") or old.get("feature")), ("enabled", "feature_state_value")
        moved = next((name for name in values if old and new.get(name) != old.get(name)), "enabled")
        return {
            "id": raw.get("id"), "flag": feature.get("name"), "at": data.get("timestamp"), "project": name_in(feature.get("project")),
            "env": name_in(new.get("environment") or old.get("environment")), "tags": feature.get("tags"), "by": data.get("changed_by"),
            "action": "deleted" if raw["event_type"] == "FLAG_DELETED" else "", "from": old.get(moved), "to": new.get(moved),
            "description": feature.get("description"),
        }  # fmt: skip
    said, about = line(raw.get("log")), line(raw.get("related_object_type"))
    if not about.startswith(("FEATURE", "EDGE_FEATURE", "EF_VERSION")):
        raise ValueError("is a change of something else than a flag")
    named, by = _LOGGED.search(said), _map(raw.get("author"))
    return {
        "id": raw.get("id") or raw.get("uuid"), "flag": (named["flag"] or named["quoted"]) if named else "", "at": raw.get("created_date"),
        "env": name_in(raw.get("environment")), "project": name_in(raw.get("project")), "action": said, "description": said,
        "by": _joined(by.get("first_name"), by.get("last_name")), "email": by.get("email"),
    }  # fmt: skip


def _growthbook(raw: Raw) -> dict[str, Any]:
    data = _map(raw["data"])
    now, before = _map(data.get("object") or data.get("current") or data), _map(data.get("previous_attributes") or data.get("previous"))
    by = _map(raw.get("user") or data.get("user"))
    was, states = _map(before.get("environments")), _map(now.get("environments"))
    pairs = [(name, _map(was.get(name)).get("enabled"), _map(one).get("enabled")) for name, one in states.items() if name in was]
    env, old, new = next((pair for pair in pairs if pair[1] != pair[2]), ("", None, None))
    listed = raw.get("environments")
    return {
        "id": raw.get("id") or raw.get("event_id"), "flag": now.get("id") or now.get("key"), "project": now.get("project"),
        "at": raw.get("created") or raw.get("dateCreated") or raw.get("timestamp"), "tags": now.get("tags") or raw.get("tags"),
        "env": env or (listed[0] if isinstance(listed, list) and len(listed) == 1 else ""), "by": by.get("name"), "email": by.get("email"),
        "action": "" if env else raw["event"], "from": old, "to": new, "description": now.get("description"),
    }  # fmt: skip


# -- lines -----------------------------------------------------------------------------------


def _line(raw: Raw) -> dict[str, Any]:
    by = _first(raw, _BY)
    return {
        "id": raw.get("id") or raw.get("_id"), "flag": name_in(_first(raw, _FLAG)), "at": _first(raw, _AT),
        "env": name_in(_first(raw, _ENV)), "project": name_in(raw.get("project")), "services": _first(raw, _SERVICE),
        "tags": raw.get("tags") or raw.get("labels"),
        "by": name_in(by), "email": _map(by).get("email"), "action": _first(raw, _DID), "from": _first(raw, _FROM), "to": _first(raw, _TO),
        "description": raw.get("description") or raw.get("comment") or raw.get("message") or raw.get("reason"), "url": raw.get("url"),
        "system": re.sub(r"[^\w.-]+", "-", line(name_in(raw.get("system") or raw.get("provider"))).lower()),
    }  # fmt: skip


_SHAPES = {"launchdarkly": _launchdarkly, "unleash": _unleash, "flagsmith": _flagsmith, "growthbook": _growthbook, "lines": _line}


def _joined(*names: Any) -> str:
    return " ".join(filter(None, map(line, names)))


def _first(raw: Raw, names: tuple[str, ...]) -> Any:
    return next((raw[name] for name in names if raw.get(name) not in (None, "", {})), "")


def _map(value: Any) -> Raw:
    return value if isinstance(value, Mapping) else {}


def _names(value: Any) -> list[str]:
    found = value if isinstance(value, list) else [value]
    return [name for one in found if (name := line(name_in(one)))][:20]


def _tags(value: Any) -> list[str]:
    """Tags as `type:value` or as they are; a mapping gives its names with their values."""
    if isinstance(value, Mapping):
        value = [{"type": name, "value": one} for name, one in value.items()]
    found = value if isinstance(value, list) else []
    both = (("type" in one and "value" in one) if isinstance(one, Mapping) else False for one in found)
    pairs = [f"{line(one['type'])}:{line(one['value'])}" if two else line(name_in(one)) for one, two in zip(found, both, strict=True)]
    return [tag.removeprefix("simple:") for tag in pairs if tag.strip(":")][:40]


def _time(value: Any) -> int | None:
    try:
        return instant(value)
    except NoTime as error:
        raise ValueError(str(error)) from None
