"""The service catalogue as Backstage reads it: one file for the organisation, one for the systems, one a service."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from brain.demo import raw_files
from brain.demo.company import Company, Person, Service, Team

Raw = dict[str, Any]
_OWNER = ("{}", "group:{}", "group:default/{}")  # all three are in use in the wild


def write(folder: Path, company: Company) -> Counter[str]:
    """Writes folder/catalog and gives the number of entities by kind."""
    files: dict[str, list[Raw]] = {
        "org.yaml": [*_groups(company), *(_user(company, one) for one in company.people.values() if not one.bot and _listed(one))],
        "systems.yaml": _systems(company),
    }
    for n, service in enumerate(company.services.values()):
        files[f"services/{service.id}.yaml"] = [_component(company, service, _OWNER[n % 3]), *_parts(company, service, _OWNER[n % 3])]
    files["all.yaml"] = [_entity("Location", "all", {}, {"targets": [f"./{name}" for name in files]})]
    for name, entities in files.items():
        written = yaml.safe_dump_all(entities, sort_keys=False, allow_unicode=True, width=120)
        raw_files.text(folder / "catalog" / name, written)
    return Counter(f"catalogue_{one['kind'].lower()}s" for entities in files.values() for one in entities)


def pager_id(service: str) -> str:
    """The id that PagerDuty gave to a service."""
    return f"P{hashlib.sha1(service.encode()).hexdigest()[:6].upper()}"


def _entity(kind: str, name: str, metadata: Raw, spec: Raw) -> Raw:
    return {"apiVersion": "backstage.io/v1alpha1", "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


def _listed(one: Person) -> bool:
    """Neil was taken out of the catalogue when he left; Leopold was forgotten."""
    return one.until is None or one.until.year > 2025


def _groups(company: Company) -> list[Raw]:
    children = {"profile": {"displayName": company.name}, "children": list(company.teams)}
    root = _entity("Group", company.org, {}, {"type": "organization", **children})
    return [root, *(_group(company, team) for team in company.teams.values())]


def _group(company: Company, team: Team) -> Raw:
    link = {"url": f"https://chat.{company.org}.example/{team.channel}", "title": f"#{team.channel}"}
    metadata = {"annotations": {"github.com/team-slug": f"{company.org}/{team.id}"}, "links": [link]}
    spec = {"type": "team", "profile": {"displayName": team.name}, "parent": company.org, "children": list[str]()}
    return _entity("Group", team.id, metadata, spec)


def _user(company: Company, one: Person) -> Raw:
    """Named after the login, but for who is called otherwise on the own machine; who left is in no group any more."""
    name = ".".join(one.name.lower().split()) if one.own_machine else one.login
    left = one.until is not None and one.until < company.as_of.date()
    groups = [one.team] if one.team and not left else []
    metadata = {"annotations": {"github.com/user-login": one.login}}
    return _entity("User", name, metadata, {"profile": {"displayName": one.name}, "memberOf": groups})


def _systems(company: Company) -> list[Raw]:
    domains = [_entity("Domain", name, {"description": text}, {"owner": company.org}) for name, text in company.domains.items()]
    systems = company.systems.values()
    return domains + [_entity("System", one.id, {}, {"owner": f"group:{one.owner}", "domain": one.domain}) for one in systems]


def _component(company: Company, service: Service, owner: str) -> Raw:
    apis, resources = company.apis.values(), company.resources.values()
    spec: Raw = {
        "type": service.kind,
        "lifecycle": "production",
        "owner": company.catalogue_owner.get(service.id) or owner.format(service.team),
        "system": service.system,
        "dependsOn": [
            *(f"component:{need}" for need in service.depends_on),
            *(f"resource:{one.id}" for one in resources if one.service == service.id),
        ],
        "providesApis": [one.id for one in apis if one.service == service.id],
        "consumesApis": [one.id for one in apis if service.id in one.used_by] + list(service.foreign_apis),
    }
    metadata = {
        "description": service.description,
        "labels": {"merefold.example/tier": str(service.tier)},
        "annotations": {
            "github.com/project-slug": f"{company.org}/{service.repo}",
            "backstage.io/source-location": f"url:https://github.com/{company.org}/{service.repo}/tree/main/{service.path}/",
            "pagerduty.com/service-id": pager_id(service.id),
        },
    }
    return _entity("Component", service.id, metadata, {name: value for name, value in spec.items() if value})


def _parts(company: Company, service: Service, owner: str) -> list[Raw]:
    common = {"owner": owner.format(service.team), "system": service.system}
    apis = [
        _entity("API", one.id, {}, {"type": one.type, "lifecycle": "production", **common, "definition": f"see {service.repo}/docs"})
        for one in company.apis.values()
        if one.service == service.id
    ]
    mine = [one for one in company.resources.values() if one.service == service.id]
    return apis + [_entity("Resource", one.id, {}, {"type": one.type, **common}) for one in mine]
