"""Who a login is: one function for the app, the command line and servers, and no name or header makes anybody more than they are."""

from __future__ import annotations

import dataclasses
import json

import pytest
from claims_graph import Company, at

from brain import identity, permissions
from brain.brain import Brain
from brain.errors import BadInput
from brain.identity import Login, as_member
from brain.ingest import load
from brain.loads import named

ALL = {"open", "internal", "restricted"}
NOW = at("2025-06-01")
WS = "identity"


def company():
    made = Company()
    for login in ("ada", "bo", "left", "local", "guest"):
        made.node(f"person:{login}", login, login=login, **({"departed_at": at("2025-01-01")} if login == "left" else {}))
    made.node("person:passer-by", "Passer By", login="passer-by")
    made.node("person:jane-doe", "Jane Doe")
    made.node("team:heat", "Heat")
    made.node("doc:people.md", "People", access="internal")
    made.text("doc:people.md", "\n".join(f"{who} is in heat" for who in ("ada", "bo", "left", "local", "jane")))
    for n, who in enumerate(("ada", "bo", "left", "local", "jane-doe"), 1):
        made.claim(f"person:{who}", "MEMBER_OF", "team:heat", "doc:people.md", n, f"{who.partition('-')[0]} is in heat")
    return made


@pytest.fixture(scope="module")
def brain(home):
    opened = Brain.open(home, WS)
    company().build(opened.store, WS)
    opened.clock = lambda: NOW
    opened.files.folder.mkdir(parents=True, exist_ok=True)
    opened.files.keep_addresses({address(opened, "ada.l@acme.test"): "person:ada", address(opened, "left@acme.test"): "person:left"})
    yield opened
    opened.close()


def address(brain, email):
    return identity._hash(email, brain.settings)


def seen(brain, claims=None, required=True, local=False, **settings):
    changed = dataclasses.replace(brain.settings, **settings)
    return identity.viewer_from(Login(claims or {}, required, local), changed, brain.company())


def checked(**claims):
    return {"iss": "https://id.acme.test", "sub": "1", "is_logged_in": True, "email_verified": True, **claims}


# -- who is it -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claims",
    [{"preferred_username": "ada"}, {"login": " Ada "}, {"email": "ada"}, {"email": "Ada.L@ACME.test"}, checked(preferred_username="ADA"),
     checked(email="ada.l@acme.test"), checked(preferred_username="nobody-here", email="ada.l@acme.test"), {"preferred_username": None, "login": "", "email": "ada"}],
)  # fmt: skip
def test_a_login_is_the_person_its_claims_name(brain, claims):
    viewer = seen(brain, claims)
    assert viewer.groups == {"person:ada", "team:heat"} and viewer.clearance == {"open", "internal"} and not viewer.admin


def test_the_address_of_a_login_is_in_no_viewer(brain):
    for claims in ({"email": "ada.l@acme.test"}, {"email": "who@else.test"}):
        viewer = seen(brain, claims, admins="who@else.test")
        assert viewer.id.startswith("mail:") and "@" not in repr(viewer) and len(viewer.id) > 15
    assert "else.test" not in repr(dataclasses.replace(brain.settings, admins="who@else.test"))


@pytest.mark.parametrize("claims", [{"login": "passer-by"}, {"login": "jane-doe"}, {"login": "stranger"}, {"email": "x@y.test"}, checked(email="x@y.test")])
def test_a_login_that_no_list_team_or_role_knows_reads_what_is_open(brain, claims):
    viewer = seen(brain, claims)
    assert viewer.clearance == {"open"} and not viewer.admin and viewer.groups <= {"person:passer-by"}


def test_who_left_reads_what_is_open_whatever_the_settings_say(brain):
    for claims in ({"login": "left"}, {"email": "left@acme.test"}):
        viewer = seen(brain, claims, members="*,acme.test", admins="left,left@acme.test")
        assert viewer.clearance == {"open"} and not viewer.groups and not viewer.admin


def test_claims_that_name_two_people_are_nobody_s(brain):
    viewer = seen(brain, checked(preferred_username="bo", email="ada.l@acme.test"), admins="bo,ada.l@acme.test", members="*")
    assert viewer == dataclasses.replace(permissions.guest(), id="bo")


def test_only_the_named_claims_count_and_in_their_order(brain):
    claims = checked(preferred_username="ada", nickname="bo")
    assert seen(brain, claims, login_claims="nickname").groups == {"person:bo", "team:heat"}
    assert seen(brain, claims, login_claims="email") == permissions.guest()
    assert seen(brain, claims, login_claims="") == permissions.guest()


@pytest.mark.parametrize("claims", [checked(email_verified=False), checked(email_verified="true"), {"sub": "1"}, checked(email_verified=None), {"iss": "x"}])
def test_an_address_that_the_issuer_did_not_verify_is_nobody_s(brain, claims):
    claims = {**claims, "email": "ada.l@acme.test"}
    assert seen(brain, claims, admins="ada.l@acme.test", members="acme.test") == permissions.guest()
    assert seen(brain, {**claims, "preferred_username": "ada.l@acme.test"}) == permissions.guest()
    assert seen(brain, claims, trust_email=True).groups


@pytest.mark.parametrize(
    "name",
    ["a\u0064a\u200b", "\u0430da", "ad\u0430", "\uff41da", "ada\u202e", "ＡＤＡ", "ada\x00", "ada\nbo", "ada bo", "a,b", "ada,bo", "ada;bo", "", "   ", "person:ada",
     "catalogue/ada", "slack/ada", "*", "ada*", "a" * 300, "ada@", "@ada", "ada@acme@acme.test", "ada.l@acme.test, x@y.test", "ada.l@\u0430cme.test", "ad\u0131", "[bot]ada", 7, ["ada"],
     {"ada": 1}, True, b"ada"],
)  # fmt: skip
def test_what_is_no_login_or_only_looks_like_one_grants_nothing(brain, name):
    for claim in ("preferred_username", "login", "email"):
        viewer = seen(brain, {claim: name}, admins="ada,ada.l@acme.test,bo")
        assert viewer.clearance == {"open"} and not viewer.groups and not viewer.admin, viewer


def test_the_kelvin_sign_is_no_k(brain):
    made = Company()
    made.node("person:kai", "Kai", login="kai")
    made.node("account:slack/kai")
    made.build(brain.store, "identity-k")
    other = Brain.open(brain.settings, "identity-k")
    assert seen(other, {"login": "KAI"}).groups == {"person:kai"}
    assert not seen(other, {"login": "\u212aai"}, admins="kai").groups and not seen(other, {"login": "\u212aai"}, admins="kai").admin
    other.close()


# -- fixed names ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["local", "Local", " local ", "guest", "nobody", "login:local"])
def test_a_login_called_like_a_fixed_viewer_is_not_that_viewer(brain, name):
    viewer = seen(brain, {"login": name})
    assert not viewer.admin and viewer.id not in ("local", "nobody") and (viewer.id != "guest" or viewer == permissions.guest())
    assert viewer.clearance == ({"open", "internal"} if "ocal" in name and ":" not in name else {"open"})


def test_the_command_line_names_the_fixed_viewers_and_the_login_called_like_one(brain):
    assert brain.viewer("local").admin and brain.viewer().admin and brain.viewer("guest") == permissions.guest()
    assert brain.viewer("login:local") == seen(brain, {"login": "local"}) and brain.viewer("login:local").id == "login:local"
    assert brain.viewer("ADA") == seen(brain, {"login": "ada"})
    assert brain.viewer("Local") == seen(brain, {"login": "local"})
    assert brain.viewer("no such, name") == permissions.guest()


def test_a_name_that_nobody_has_is_known_to_be_unknown(brain):
    assert [identity.unknown(n, brain.company()) for n in ("ada", "local", "guest", "passer-by")] == [False] * 4
    assert [identity.unknown(n, brain.company()) for n in ("stranger", "jane-doe", "a, b", "login:zz")] == [True] * 4


# -- no login at all -----------------------------------------------------------------------------


def test_without_any_login_this_machine_alone_is_the_administrator(brain):
    assert seen(brain, required=False, local=True) == permissions.local_admin()
    assert seen(brain, required=False, local=False) == permissions.guest()
    for claims in ({"login": "ada"}, {"email": "ada.l@acme.test"}):
        assert seen(brain, claims, required=False, local=False, admins="ada") == permissions.guest()


def test_where_there_is_a_login_nobody_logged_in_is_a_guest_on_this_machine_too(brain):
    for claims in ({}, {"is_logged_in": False}, {"is_logged_in": False, "login": "ada"}, {"email": None}, {"email": ""}, {"X-Forwarded-User": "ada"}):
        assert seen(brain, claims, required=True, local=True, admins="ada", members="*") == permissions.guest()


# -- administrators and members by the settings --------------------------------------------------


@pytest.mark.parametrize("admins", ["ada", "x, ADA ,y", "ada.l@acme.test", "Ada.L@Acme.Test"])
def test_an_administrator_is_who_the_settings_name(brain, admins):
    claims = checked(preferred_username="ada", email="ada.l@acme.test")
    viewer = seen(brain, claims, admins=admins)
    assert viewer.admin and viewer.clearance == ALL and viewer.id == "ada"
    assert not seen(brain, {"login": "bo"}, admins=admins).admin


@pytest.mark.parametrize("admins", ["", ",", "*", " , ,", "adax", "da", "ada bo", "@acme.test", "acme.test", "person:ada", "ad\u0430"])
def test_nothing_else_in_the_settings_makes_an_administrator(brain, admins):
    assert not seen(brain, checked(preferred_username="ada", email="ada.l@acme.test"), admins=admins).admin


def test_an_administrator_need_not_be_known_to_the_company(brain):
    viewer = seen(brain, {"login": "root-of-all"}, admins="root-of-all")
    assert viewer.admin and not viewer.groups


@pytest.mark.parametrize(
    ("members", "claims", "is_member"),
    [
        ("acme.test", {"email": "new@acme.test"}, True), ("@acme.test", {"email": "New@ACME.TEST"}, True), ("x.test, acme.test", {"email": "new@acme.test"}, True),
        ("*", {"login": "new"}, True), ("*", {"login": "passer-by"}, True), ("acme.test", {"email": "new@sub.acme.test"}, False),
        ("acme.test", {"email": "new@notacme.test"}, False), ("acme.test", {"email": "acme.test@evil.test"}, False), ("acme.test", {"login": "acme.test"}, False),
        ("", {"login": "new"}, False), (",", {"email": "new@acme.test"}, False), ("test", {"email": "new@acme.test"}, False), ("@", {"email": "new@acme.test"}, False),
        ("acme.test", {"sub": "1", "email": "new@acme.test"}, False), ("*", {}, False), ("*", {"login": "a, b"}, False),
    ],
)  # fmt: skip
def test_the_settings_say_who_is_a_member_without_being_in_a_list(brain, members, claims, is_member):
    assert seen(brain, claims, members=members).clearance == ({"open", "internal"} if is_member else {"open"})


# -- viewing as ----------------------------------------------------------------------------------


def test_viewing_as_somebody_gives_their_rights_and_names_who_looks(brain):
    admin = seen(brain, {"login": "bo"}, admins="bo")
    viewer = as_member("ada", admin, brain.settings, brain.company())
    assert (viewer.id, viewer.by, viewer.owner, viewer.admin) == ("ada", "bo", "bo", False)
    assert viewer.groups == {"person:ada", "team:heat"} and viewer.clearance == {"open", "internal"}
    assert brain.viewer("ada").owner == "ada"


@pytest.mark.parametrize("name", ["local", "LOCAL", "guest", "nobody", "stranger", "", "a, b"])
def test_viewing_as_no_person_is_viewing_as_a_guest(brain, name):
    viewer = as_member(name, permissions.local_admin(), brain.settings, brain.company())
    assert viewer.clearance == {"open"} and not viewer.admin and viewer.by == "local"


def test_viewing_as_an_administrator_is_viewing_as_a_member(brain):
    settings = dataclasses.replace(brain.settings, admins="ada")
    viewer = as_member("ada", permissions.local_admin(), settings, brain.company())
    assert not viewer.admin and viewer.clearance == {"open", "internal"}


def test_who_is_no_administrator_views_as_nobody_else(brain):
    for who in (brain.viewer("bo"), permissions.guest(), permissions.nobody(), as_member("bo", permissions.local_admin(), brain.settings, brain.company())):
        assert as_member("ada", who, brain.settings, brain.company()) == who


# -- addresses of what is loaded -----------------------------------------------------------------


def test_the_addresses_that_lists_of_people_state_are_kept_as_hashes_after_a_load(home, tmp_path):
    folder = tmp_path / "catalog"
    folder.mkdir()
    user = "apiVersion: backstage.io/v1alpha1\nkind: User\nmetadata: {name: NAME}\nspec: {profile: {displayName: N N, email: MAIL}, memberOf: [heat]}\n"
    (folder / "all.yaml").write_text(
        "---\n".join(user.replace("NAME", n).replace("MAIL", m) for n, m in (("ada", "Ada@acme.test"), ("bo", "two@acme.test"), ("cy", "two@acme.test")))
        + "---\napiVersion: backstage.io/v1alpha1\nkind: Group\nmetadata: {name: heat}\nspec: {type: team, children: []}\n"
    )
    brain = Brain.open(home, "identity-loaded")
    outcome = load(brain.store, brain.files, "identity-loaded", {"all": named(home, "backstage", folder, access="internal")}, None)
    assert not outcome.failures
    assert seen(brain, {"email": "ada@ACME.test"}).clearance == {"open", "internal"}
    assert seen(brain, {"email": "two@acme.test"}).clearance == {"open"}
    kept = (brain.files.folder / "addresses.json").read_text()
    assert len(json.loads(kept)) == 1 and "@" not in kept and "acme" not in kept
    brain.store.drop("brain:identity-loaded")
    brain.close()


def test_a_broken_file_of_addresses_makes_nobody_anybody(brain):
    kept = brain.files.addresses()
    (brain.files.folder / "addresses.json").write_text("[1, 2")
    assert brain.files.addresses() == {} and seen(brain, {"email": "ada.l@acme.test"}).clearance == {"open"}
    brain.files.keep_addresses(kept)


def test_the_name_of_a_workspace_is_no_path(home):
    with pytest.raises(BadInput, match="letters, digits"):
        Brain.open(home, "../demo")
