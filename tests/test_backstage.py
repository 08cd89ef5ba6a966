"""A catalogue becomes entities, claims with their lines, and skips with file, line and reason; nothing is lost in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from brain.assertions import Texts, assertion
from brain.connectors import backstage
from brain.connectors.backstage_entity import ref
from brain.connectors.context import Context
from brain.errors import BadInput
from brain.types import ClaimRow, EdgeRow, NodeRow, Skip, TextRow

SAMPLES = Path(__file__).parent.parent.parent / "shared" / "formats" / "backstage"
ORG = """\
apiVersion: backstage.io/v1alpha1
kind: Group
metadata:
  name: heat
  annotations:
    acme.example/slack-channel: heat-team
spec:
  type: team
  profile: {displayName: Heat and Glaze, email: heat@acme.example}
  parent: engineering
  children: []
---
apiVersion: backstage.io/v1alpha1
kind: User
metadata:
  name: ada.byron
  annotations:
    github.com/user-login: AdaB
    slack.com/user-id: U0ABC1234
spec:
  profile:
    displayName: Ada Byron
    email: ada@acme.example
  memberOf: [heat]
"""
PARTS = """\
# what runs
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: Kiln-Control
  title: Kiln control
  description: Keeps the heat.
  labels: {tier: tier-1}
  annotations:
    github.com/project-slug: acme/kiln
    acme.example/tech-lead: ada.byron
spec:
  type: service
  lifecycle: production
  owner: heat
  system: firing
  dependsOn:
    - component:door-lock
    - resource:default/heat-db
    - component:ghost
  providesApis: [heat-api]
  consumesApis:
    - api:other/tides
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: door-lock}
spec: {type: service, owner: "user:ada.byron", subcomponentOf: kiln-control}
---
apiVersion: backstage.io/v1alpha1
kind: API
metadata: {name: heat-api}
spec: {type: grpc, lifecycle: production, owner: nobody-we-know, definition: "x"}
---
apiVersion: backstage.io/v1alpha1
kind: Resource
metadata: {name: heat-db}
spec: {type: database, owner: domain:pottery, dependencyOf: [component:kiln-control]}
---
apiVersion: backstage.io/v1alpha1
kind: System
metadata: {name: firing}
spec: {owner: heat, domain: pottery}
---
apiVersion: backstage.io/v1alpha1
kind: Domain
metadata: {name: pottery}
spec: {owner: group:default/heat}
"""


def fetched(tmp_path: Path, **files: str) -> list[dict]:
    folder = tmp_path / "catalog"
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_yaml", ".yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(folder)


def read(*paths: Path, base: Path | None = None) -> list[dict]:
    given = {"base": base or paths[0].parent, "name": paths[0].name, "access": "internal", "identity_key": b"k" * 32, "options": {}}
    return list(backstage.fetch(paths, **given))


def rows_of(records: list[dict]) -> list:
    context = Context.build([records], knowing={"backstage": backstage.known})
    return list(backstage.rows(iter(records), context))


def claims(rows: list) -> set[tuple[str, str, str]]:
    """What is claimed, every claim held against the texts before it as a load does."""
    texts, found = Texts(), set()
    for row in rows:
        if isinstance(row, TextRow):
            texts.add(row)
        elif isinstance(row, ClaimRow):
            edge, _ = assertion(row, texts, {})
            found.add((edge.src, edge.rel, edge.dst))
    return found


def skips(records: list[dict]) -> list[tuple[str, int, str]]:
    return [(r["file"], r["line"], r["reason"]) for r in records if r["kind"] == "skip"]


@pytest.fixture
def loaded(tmp_path):
    return rows_of(fetched(tmp_path, org_yaml=ORG, parts_yaml=PARTS))


def nodes(rows: list) -> dict[str, NodeRow]:
    return {row.key: row for row in reversed(rows) if isinstance(row, NodeRow)}


def test_everything_that_a_catalogue_says_is_claimed_with_the_line_that_says_it(loaded):
    assert {c for c in claims(loaded) if c[1] != "SAME_AS"} == {
        ("team:heat", "OWNS", "service:kiln-control"), ("person:adab", "OWNS", "service:door-lock"), ("team:heat", "OWNS", "system:firing"),
        ("team:heat", "OWNS", "domain:pottery"), ("team:nobody-we-know", "OWNS", "api:heat-api"),
        ("person:adab", "TECH_LEAD_OF", "service:kiln-control"), ("person:adab", "MEMBER_OF", "team:heat"),
        ("service:kiln-control", "DEPENDS_ON", "service:door-lock"), ("service:kiln-control", "DEPENDS_ON", "resource:heat-db"),
        ("service:kiln-control", "DEPENDS_ON", "service:ghost"), ("service:kiln-control", "USES", "api:other/tides"),
        ("service:kiln-control", "HAS_RESOURCE", "resource:heat-db"),
    }  # fmt: skip
    edges = {(r.src, r.rel, r.dst) for r in loaded if isinstance(r, EdgeRow)}
    assert edges >= {
        ("service:kiln-control", "PROVIDES", "api:heat-api"), ("service:kiln-control", "PART_OF", "system:firing"),
        ("system:firing", "PART_OF", "domain:pottery"), ("service:door-lock", "PART_OF", "service:kiln-control"),
        ("team:heat", "PART_OF", "team:engineering"), ("doc:catalog/parts.yaml", "ABOUT", "service:kiln-control"),
    }  # fmt: skip
    owner = next(r for r in loaded if isinstance(r, ClaimRow) and r.dst == "service:kiln-control" and r.rel == "OWNS")
    assert (owner.line, owner.quote.strip(), owner.authority, owner.access) == (15, "owner: heat", "record", "internal")


@pytest.mark.parametrize(("location", "path"), [
    ("url:https://github.com/acme/kiln/tree/main/services/heat/", "services/heat"), ("https://git.acme.example/acme/kiln/-/tree/trunk/heat", "heat"),
    ("url:https://github.com/acme/kiln/", None), ("url:https://github.com/acme/other/tree/main/heat/", None),
    ("url:https://github.com/acme/kiln/blob/main/heat/catalog-info.yaml", None),
])  # fmt: skip
def test_the_folder_of_a_service_in_its_repository_is_kept(tmp_path, location, path):
    text = PARTS.replace("github.com/project-slug: acme/kiln", f"github.com/project-slug: acme/kiln\n    backstage.io/source-location: {location}")
    assert nodes(rows_of(fetched(tmp_path, parts_yaml=text)))["service:kiln-control"].props.get("path") == path


def test_an_entity_keeps_what_describes_it(loaded):
    kiln, team, ada = (nodes(loaded)[key] for key in ("service:kiln-control", "team:heat", "person:adab"))
    assert kiln.props == {
        "description": "Keeps the heat.", "lifecycle": "production", "tier": 1, "kind": "service", "aliases": ["Kiln control"],
        "repo": "acme/kiln", "system": "firing",
    }  # fmt: skip
    assert (team.name, team.props["contact"], team.props["parent"]) == ("Heat and Glaze", "#heat-team", "team:engineering")
    assert (ada.name, ada.props["login"], ada.props["names"]) == ("Ada Byron", "AdaB", ["Ada Byron"])


def test_what_nothing_describes_is_kept_as_unknown_and_reported(loaded):
    unknown = {key for key, row in nodes(loaded).items() if row.props.get("unknown")}
    assert unknown == {"team:nobody-we-know", "service:ghost", "api:other/tides", "team:engineering"}
    told = {(r.origin.line, r.reason) for r in loaded if isinstance(r, Skip)}
    assert (20, "dependsOn: component that nothing describes; kept as unknown") in told
    assert any("owner: domain" in reason for _, reason in told)


def test_annotations_and_tags_of_real_catalogues(tmp_path):
    text = (
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: a\n  tags: [java, tier-2]\n  annotations:\n"
        "    circleci.com/project-slug: github/acme/a\n    backstage.io/source-location: url:https://github.com/acme/mono/tree/main/a/\nspec: {owner: heat}\n"
    )
    (a,) = [r for r in fetched(tmp_path, a_yaml=text) if r["kind"] == "entity"]
    assert (a["repo"], a["tier"]) == ("acme/mono", 2)


def test_a_link_to_a_loaded_document_is_a_resource_of_the_service(tmp_path):
    text = (
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: a\n  links:\n    - url: https://wiki.example/x/docs/run/kiln.md\n"
        "      title: Runbook\n    - url: https://grafana.example/d/1\nspec: {owner: heat}\n"
    )
    records = fetched(tmp_path, a_yaml=text)
    library = [{"kind": "source", "format": "docs", "source": "docs:x"}]
    context = Context.build(
        [library, records], knowing={"backstage": backstage.known, "docs": lambda record, company: company.thing("doc:docs/run/kiln.md", "docs/run/kiln.md")}
    )
    assert ("service:a", "HAS_RESOURCE", "doc:docs/run/kiln.md") in claims(list(backstage.rows(iter(records), context)))


def test_no_address_is_stored(tmp_path):
    records = fetched(tmp_path, org_yaml=ORG)
    assert "acme.example" not in str([r for r in records if r["kind"] == "entity"]).replace("acme.example/", "") and "@acme" not in str(records)
    assert next(r for r in records if r.get("entity") == "user")["email"].startswith("h:")


def test_a_catalogue_s_owner_who_is_a_user_only_named_is_unknown(tmp_path):
    rows = rows_of(fetched(tmp_path, a_yaml="apiVersion: backstage.io/v1alpha1\nkind: System\nmetadata: {name: s}\nspec: {owner: 'user:wim'}\n"))
    assert nodes(rows)["person:wim"].props.get("unknown") or any(r.key == "person:wim" and r.props.get("unknown") for r in rows if isinstance(r, NodeRow))
    assert ("person:wim", "OWNS", "system:s") in claims(rows)


@pytest.mark.parametrize(("text", "line", "said"), [
    ("kind: Deployment\napiVersion: apps/v1\n", 1, "not an entity"),
    ("apiVersion: backstage.io/v1alpha1\nkind: AiResource\nmetadata: {name: x}\n", 1, "kind AiResource"),
    ("apiVersion: scaffolder.backstage.io/v1beta3\nkind: Template\nmetadata: {name: x}\n", 1, "kind Template"),
    ("apiVersion: backstage.io/v1alpha1\nkind: System\nmetadata:\n  name: ${{ values.name }}\n", 4, "still to be filled in"),
    ("apiVersion: backstage.io/v1alpha1\nkind: System\nmetadata:\n  title: x\n", 1, "without a name"),
    ("apiVersion: backstage.io/v1alpha1\nkind: System\nmetadata: {name: {{ x }}\n", 4, "not YAML"),
    ("", 1, "empty"), (b"kind: \xff\n", 1, "not UTF-8"), ("a: &x [*x]\n", 1, "not an entity"), ("[" * 9000, 1, "not YAML"),
])  # fmt: skip
def test_what_is_no_entity_is_left_out_with_file_line_and_reason(tmp_path, text, line, said):
    records = fetched(tmp_path, a_yaml=text)
    (file, at, reason), = skips(records)
    assert file == "catalog/a.yaml" and said in reason and at in (line, line - 1)
    assert records[-1] == {"kind": "totals", "files": 1, "read": 1, "kept": 0, "skipped": 1}


def test_a_bad_document_costs_itself_only(tmp_path):
    good = "apiVersion: backstage.io/v1alpha1\nkind: System\nmetadata: {name: %s}\nspec: {owner: heat}\n"
    records = fetched(tmp_path, a_yaml=f"--- # first\n{good % 'one'}---\nbad: [\nworse\n...\n---\n{good % 'two'}")
    assert [r["name"] for r in records if r["kind"] == "entity"] == ["one", "two"] and skips(records)[0][1] in (7, 8, 9)
    assert records[-1]["read"] == records[-1]["kept"] + records[-1]["skipped"] == 3


def test_anchors_and_merges_are_read(tmp_path):
    text = (
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {name: a, labels: &l {tier: '2'}}\nspec: &s {type: service, owner: heat}\n"
        "extra:\n  <<: *s\n"
    )
    twice = text + "---\n" + text.replace("name: a", "name: b").replace("spec: &s {type: service, owner: heat}", "base: &s {type: service, owner: heat}\nspec:\n  <<: *s\n  type: website")
    found = {r["name"]: r for r in fetched(tmp_path, a_yaml=twice) if r["kind"] == "entity"}
    assert found["b"]["type"] == "website" and found["b"]["facts"][0][:2] == ["owner", "OWNS"] and found["a"]["tier"] == 2


def test_a_location_is_followed_inside_the_folder_and_nowhere_else(tmp_path):
    (tmp_path / "secret.yaml").write_text(ORG)
    location = "apiVersion: backstage.io/v1alpha1\nkind: Location\nmetadata: {name: all}\nspec:\n  targets:\n    - ./deep/*.yaml\n    - ../../../secret.yaml\n    - https://x.example/y.yaml\n    - ./none.yaml\n"
    folder = tmp_path / "in" / "catalog"
    (folder / "deep").mkdir(parents=True)
    (folder / "all.yaml").write_text(location)
    (folder / "deep" / "parts.yaml").write_text(PARTS)
    records = read(folder / "all.yaml", base=tmp_path / "in")
    assert {r["file"] for r in records if r["kind"] == "entity"} == {"catalog/deep/parts.yaml"}
    assert [line for _, line, _ in skips(records)] == [7, 8, 9]
    assert records[-1]["read"] == records[-1]["kept"] + records[-1]["skipped"]


def test_of_two_descriptions_the_first_file_s_counts_whatever_the_order(tmp_path):
    text = "apiVersion: backstage.io/v1alpha1\nkind: System\nmetadata: {name: s}\nspec: {owner: %s}\n"
    records = fetched(tmp_path, b_yaml=text % "late", a_yaml=text % "early")
    backwards = [records[0], *[r for f in ("catalog/b.yaml", "catalog/a.yaml") for r in records[1:-1] if r["file"] == f], records[-1]]
    for given in (records, backwards):
        rows = rows_of(given)
        assert {c[0] for c in claims(rows)} == {"team:early"}
        assert [r.origin.file for r in rows if isinstance(r, Skip) and "another file" in r.reason] == ["catalog/b.yaml"]


@pytest.mark.parametrize(("text", "key"), [
    ("heat", "team:heat"), ("group:heat", "team:heat"), ("Group:default/Heat", "team:heat"), ("backstage/maintainers", "team:backstage/maintainers"),
    ("component:a_b.c", "service:a-b-c"), ("resource:other/x", "resource:other/x"),
])  # fmt: skip
def test_references_with_and_without_kind_and_namespace(text, key):
    assert ref(text, "group").key == key


@pytest.mark.parametrize("text", ["", "a b", "a:b:c", "group:", "x/y/z"])
def test_what_is_no_reference_is_none(text):
    assert ref(text, "group") is None


def test_a_path_that_is_not_there_is_said(tmp_path):
    with pytest.raises(BadInput, match="no such file"):
        read(tmp_path / "nothing")


def test_a_catalogue_is_told_by_content(tmp_path):
    (tmp_path / "a.yaml").write_text("# x\n\napiVersion: backstage.io/v1alpha1\nkind: System\n")
    (tmp_path / "b.yaml").write_text("apiVersion: v1\nkind: Pod\n")
    assert backstage.recognise(tmp_path / "a.yaml") and not backstage.recognise(tmp_path / "b.yaml") and backstage.recognise(tmp_path)


@pytest.mark.skipif(not SAMPLES.exists(), reason="the format samples are not beside this checkout")
@pytest.mark.parametrize("folder", sorted(SAMPLES.iterdir()) if SAMPLES.exists() else [], ids=lambda p: p.name)
def test_every_sample_loads_or_is_left_out_with_a_reason_and_the_totals_add_up(folder):
    records = read(folder)
    totals = records[-1]
    assert totals["read"] == totals["kept"] + totals["skipped"] and totals["kept"] > 0
    assert totals["skipped"] == len(skips(records)) and all(file and line and reason for file, line, reason in skips(records))
    assert totals["kept"] == sum(r["kind"] in ("entity", "location") for r in records)
    assert claims(rows_of(records))
