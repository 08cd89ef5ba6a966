from synthetic_git import DAY, T0, github, issue, pull

from brain.connectors.context import Context
from brain.connectors.file_names import FileNames


def ident(name: str = "", email: str | None = None, login: str | None = None, **more: object) -> dict:
    return {"name": name, "email": f"h:{email}" if email else None, "login": login, **more}


def commit(sha: str, at: int = T0, *, who: dict | None = None, on: bool = True, **more: object) -> dict:
    base = {"kind": "commit", "sha": sha, "parents": [], "at": at, "authored_at": at, "on_default": on, "files": []}
    base |= {"author": who or ident("Ada", "ada"), "committer": None, "co_authors": [], "reviewers": []}
    return base | {"pr_refs": [], "refs": []} | more


def git(repo: str, *records: dict, pulls: bool = False) -> list[dict]:
    head = {"kind": "source", "format": "git", "source": f"git:{repo}", "repo": repo, "access": "open"}
    return [head, {"kind": "repo", "repo": repo, "has_pull_refs": pulls}, *records]


def head(number: int, sha: str, first_at: int = T0, **more: object) -> dict:
    base = {"kind": "pull_ref", "number": number, "head": sha, "at": first_at, "first_at": first_at}
    return base | {"commits": [sha], "author": None} | more


def named(number: int, how: str = "subject", repo: str | None = None) -> list[dict]:
    return [{"repo": repo, "number": number, "how": how}]


def people(*idents: dict) -> Context:
    return Context.build([git("acme/a", *(commit(f"{i:040x}", who=who) for i, who in enumerate(idents)))])


# people


def test_a_login_is_one_person_whatever_the_address_and_spelling() -> None:
    one, two = ident("Mirja", "m1", "Mirjak"), ident("Mirja K.", "m2", "mirjak")
    context = people(one, two)
    assert context.person(one) == context.person(two) == context.person("MIRJAK") == "person:mirjak"
    assert context.person_name("person:mirjak") == "Mirjak"
    assert context.person_props("person:mirjak")["names"] == ["Mirja", "Mirja K."]


def test_an_address_seen_with_one_login_is_that_logins() -> None:
    context = people(ident("Ada", "x", "ada"), ident("A. L.", "x"))
    assert context.person(ident("A. L.", "x")) == "person:ada"


def test_an_address_that_a_mail_map_gives_a_login_is_that_logins_everywhere() -> None:
    mapped, elsewhere = ident("Ada", "new", "ada", also="h:old"), ident("A. L.", "old")
    context = people(mapped, elsewhere)
    assert context.person(elsewhere) == "person:ada"


def test_an_address_seen_with_two_logins_is_nobodys() -> None:
    context = people(ident("Ada", "x", "ada"), ident("Bob", "x", "bob"), ident("Shared Box", "x"))
    assert context.person(ident("Shared Box", "x")) == "person:shared-box"


def test_the_same_full_name_is_one_person_without_login_and_never_joins_a_login() -> None:
    work, home, login = ident("Martin Thom", "w"), ident("Martin Thom", "h"), ident("Martin Thom", "l", "mt")
    context = people(work, home, login)
    assert context.person(work) == context.person(home) == "person:martin-thom"
    assert context.person(login) == "person:mt"


def test_a_given_name_alone_joins_nobody() -> None:
    one, two = ident("Martin", "1"), ident("Martin", "2")
    context = people(one, two)
    assert {context.person(one), context.person(two)} == {"person:martin", "person:martin-2"}


def test_pseudonyms_join_like_full_names() -> None:
    one, two = ident("Person-0a1b2c3d", "1"), ident("Person-0a1b2c3d", "2")
    assert people(one, two).person(one) == people(one, two).person(two) == "person:person-0a1b2c3d"


def test_equal_slugs_of_different_people_do_not_depend_on_the_order_of_loading() -> None:
    one, two, login = ident("Jo-Lee", "1"), ident("jo lee!", "2"), ident("", None, "jo-lee")
    ahead, back = people(one, two, login), people(login, two, one)
    for who in (one, two, login):
        assert ahead.person(who) == back.person(who)
    assert {ahead.person(w) for w in (one, two, login)} == {"person:jo-lee", "person:jo-lee-2", "person:jo-lee-3"}


def test_one_address_of_a_person_and_a_machine_is_the_person() -> None:
    person, machine = ident("Avi A", "x"), ident("Cargo Audit", "x")
    context = people(person, person, machine)
    assert context.person(machine) == "person:avi-a"
    assert not context.is_bot("person:avi-a")


def test_bots_are_told_by_login_and_one_bot_has_one_key() -> None:
    context = people(ident("dependabot[bot]", "1", "dependabot[bot]"), ident("", "2", "Copilot"), ident("Copilot", "3", "copilot"))
    assert context.person("dependabot") == context.person("dependabot[bot]") == "person:dependabot"
    assert context.is_bot("person:dependabot")
    assert context.is_bot("person:copilot")
    assert not context.is_bot("person:ada")
    assert not people(ident("Claude Monet", "9")).is_bot("person:claude-monet")


def test_a_deleted_user_is_nobody() -> None:
    context = Context.build([github("acme/a", pull(1, author=None))])
    assert context.person(None) is None
    assert context.person("ghost") is None
    assert context.person(ident()) is None
    assert context.known_person("ada") is None


# repositories


def test_a_repository_is_found_under_an_earlier_name_by_its_commits() -> None:
    sha = "a" * 40
    sources = [github("kazuho/draft-qmux", pull(1, state="merged", merge_sha=sha)), git("acme/qmux", commit(sha)), git("acme/other")]
    for order in (sources, sources[::-1]):
        context = Context.build(order)
        assert context.repo("Kazuho/draft-qmux") == "acme/qmux"
        assert context.item("kazuho/draft-qmux", 1) == "pr:acme/qmux#1"
        assert context.merge_commit("acme/qmux", 1) == sha
        assert context.aliases("acme/qmux") == ["kazuho/draft-qmux"]


def test_an_unrelated_archive_is_not_taken_for_the_repository() -> None:
    context = Context.build([github("acme/docs", pull(1, head_sha="b" * 40)), git("acme/qmux", commit("a" * 40))])
    assert context.repo("acme/docs") == "acme/docs"
    assert not context.has_git("acme/docs") and not context.has_github("acme/qmux")


def test_case_and_given_aliases_do_not_matter() -> None:
    context = Context.build([git("acme/Qlog")], {"quiclog/internet-drafts": "acme/qlog"})
    assert context.repo("ACME/qlog") == context.repo("QuicLog/internet-drafts") == "acme/Qlog"
    assert context.repo("un/known") == "un/known"
    assert context.item("un/known", 1) is None


# joins


def test_the_merge_commit_id_wins_over_a_number_in_a_subject() -> None:
    right, wrong = "a" * 40, "b" * 40
    commits = commit(wrong, pr_refs=named(7)), commit(right, at=T0 + DAY)
    context = Context.build([git("acme/a", *commits), github("acme/a", pull(7, state="merged", merge_sha=right))])
    assert context.join_of("acme/a", 7) == (right, "mergeCommit.oid")


def test_a_test_merge_id_of_an_open_pull_request_is_no_join() -> None:
    sha = "a" * 40
    context = Context.build([git("acme/a", commit(sha)), github("acme/a", pull(7, state="open", merge_sha=sha))])
    assert context.merge_commit("acme/a", 7) is None


def test_numbers_restart_after_a_transfer_so_an_older_commit_is_not_the_pull_request() -> None:
    old, new = "a" * 40, "b" * 40
    commits = [commit(old, at=T0 - 700 * DAY, pr_refs=named(28)), commit(new, at=T0 + DAY, pr_refs=named(28))]
    archive = github("acme/a", pull(28, state="merged", merge_sha="c" * 40, created_at=T0))
    assert Context.build([git("acme/a", *commits), archive]).join_of("acme/a", 28) == (new, "number")
    assert Context.build([git("acme/a", commits[0]), archive]).join_of("acme/a", 28) is None
    heads = git("acme/a", *commits, head(28, "d" * 40), pulls=True)
    assert Context.build([heads]).join_of("acme/a", 28) == (new, "number")


def test_the_branch_head_as_second_parent_is_certain() -> None:
    early = commit("a" * 40, at=T0 + 1, pr_refs=named(2))
    late = commit("b" * 40, at=T0 + DAY, pr_refs=named(2, "merge"), parents=["x", "h"])
    context = Context.build([git("acme/a", early, late, head(2, "h"), pulls=True)])
    assert context.join_of("acme/a", 2) == ("b" * 40, "merge subject")


def test_a_number_without_pull_ref_is_no_pull_request_where_there_are_pull_refs() -> None:
    context = Context.build([git("acme/a", commit("a" * 40, pr_refs=named(5)), head(1, "h"), pulls=True)])
    assert context.item("acme/a", 5) is None
    assert context.pulls_of("acme/a", "a" * 40) == []
    assert context.item("acme/a", 1) == "pr:acme/a#1"


def test_a_number_in_an_ordinary_clone_is_a_pull_request_unless_github_says_issue() -> None:
    source = git("acme/a", commit("a" * 40, pr_refs=named(5)))
    assert Context.build([source]).item("acme/a", 5) == "pr:acme/a#5"
    both = Context.build([source, github("acme/a", issue(5))])
    assert both.item("acme/a", 5) == "issue:acme/a#5"
    assert both.merge_commit("acme/a", 5) is None


def test_pr_url_counts_only_for_this_repository_and_its_aliases() -> None:
    refs = [*named(5, "pr-url", "nodejs/node"), *named(6, "pr-url", "joyent/libuv"), *named(7, "pr-url", "libuv")]
    source = git("libuv/libuv", commit("a" * 40, pr_refs=refs))
    context = Context.build([source], {"joyent/libuv": "libuv/libuv"})
    assert context.item("libuv/libuv", 5) is None
    assert context.join_of("libuv/libuv", 6) == ("a" * 40, "pr-url")
    assert context.join_of("libuv/libuv", 7) == ("a" * 40, "pr-url")


def test_a_missing_number_is_neither() -> None:
    context = Context.build([git("acme/a", commit("a" * 40)), github("acme/a", issue(1), pull(3))])
    assert context.item("acme/a", 2) is None


def test_a_merged_pull_request_without_its_commit_has_no_join() -> None:
    context = Context.build([git("acme/a", commit("a" * 40)), github("acme/a", pull(8, state="merged", merge_sha="6" * 40))])
    assert context.merge_commit("acme/a", 8) is None


def test_an_abbreviated_id_is_completed_when_it_is_one_commit() -> None:
    one, two = "abcd" + "0" * 36, "abcd" + "1" * 36
    context = Context.build([git("acme/a", commit(one), commit(two))])
    assert context.full_sha("acme/a", "abcd000") == one
    assert context.full_sha("acme/a", "abcd") is None
    assert context.full_sha("acme/a", "ffffff0") is None
    assert context.commit_repo(one) == "acme/a"


def test_issues_known_from_messages_exist_only_where_no_github_data_is_loaded() -> None:
    refs = [{"repo": None, "number": 9, "keyword": "fixes", "kind": None}]
    source = git("acme/a", commit("a" * 40, refs=refs))
    assert Context.build([source]).item("acme/a", 9) == "issue:acme/a#9"
    assert Context.build([source, github("acme/b")]).item("acme/a", 9) is None


# files


def test_a_file_is_found_under_its_latest_name() -> None:
    names = FileNames()
    names.add(1, [["R", "c", "b", 1, 1]])
    names.add(5, [["R", "b", "a", 1, 1]])
    names.present(["c"])
    assert [names.latest("a", 9), names.latest("b", 3), names.latest("c", 0)] == ["c", "c", "c"]
    assert names.latest("a", 2) == "c"  # a branch that never saw the rename
    assert names.earlier() == {"c": ["a", "b"]}


def test_a_path_used_again_after_a_rename_is_another_file() -> None:
    names = FileNames()
    names.add(5, [["R", "new", "old", 1, 1]])
    names.present(["new", "old"])
    assert names.latest("old", 9) == "new"
    assert names.latest("old", 2) == "old"


def test_renamed_there_and_back_ends() -> None:
    names = FileNames()
    names.add(1, [["R", "a", "b", 1, 1]])
    names.add(2, [["R", "b", "a", 1, 1]])
    assert names.latest("a", 9) == "a"
    assert names.latest("b", 0) in ("a", "b")


def test_two_files_that_swap_names_stay_two() -> None:
    names = FileNames()
    names.add(3, [["R", "b", "a", 1, 1], ["R", "a", "b", 1, 1]])
    names.present(["a", "b"])
    assert (names.latest("a", 9), names.latest("b", 9)) == ("b", "a")


def test_a_handle_joins_the_login_that_is_spelled_so() -> None:
    login, handle = ident("Ada L", "1", "adal"), ident("adal", "2")
    both, same_name = ident("Ada Lovelace", "2"), ident("Ada Lovelace", "3")
    context = people(login, handle, both, both, same_name)
    assert {context.person(w) for w in (login, handle, both, same_name)} == {"person:adal"}


def test_a_handle_joins_nobody_when_it_could_be_two_or_is_spelled_otherwise_or_a_machines() -> None:
    one, two, mixed = ident("", None, "adal"), ident("", None, "benb"), [ident("adal", "2"), ident("benb", "2")]
    context = people(one, two, *mixed)
    assert context.person(mixed[0]) not in ("person:adal", "person:benb")
    assert people(one, ident("AdaL", "2")).person(ident("AdaL", "2")) == "person:adal-2"
    assert people(ident("", None, "claude"), ident("claude", "2")).person(ident("claude", "2")) == "person:claude-2"


def test_a_handle_joins_no_login_of_another_organisation() -> None:
    handle = ident("adal", "2")
    ours, theirs = git("acme/a", commit("a" * 40, who=handle)), github("other/b", issue(1, author="adal"))
    assert Context.build([ours, theirs]).person(handle) == "person:adal-2"
    assert Context.build([ours, github("acme/b", issue(1, author="adal"))]).person(handle) == "person:adal"


OLD = "https://github.com/jo/draft/issues/"


def test_a_page_that_links_to_itself_by_another_name_tells_the_earlier_name() -> None:
    said = {"author": "ada", "at": T0 + 9, "body": f"as I said in {OLD}2#issuecomment-55, and {OLD}1"}
    context = Context.build([github("acme/spec", issue(1), issue(2, comments=[said]))])
    assert context.repo("Jo/Draft") == "acme/spec" and context.aliases("acme/spec") == ["jo/draft"]
    assert context.item("jo/draft", 1) == "issue:acme/spec#1"


def test_a_copy_with_numbers_of_its_own_is_not_the_same_repository() -> None:
    copied = [issue(2, body=f"copied from {OLD}2#issuecomment-5"), issue(3, body=f"copied from {OLD}33")]
    assert Context.build([github("acme/spec", *copied, issue(33, created_at=T0 + DAY))]).repo("jo/draft") == "jo/draft"
    only_linked = issue(2, body=f"see {OLD}1")
    assert Context.build([github("acme/spec", issue(1), only_linked)]).repo("jo/draft") == "jo/draft"


def test_an_item_with_another_repositorys_address_tells_the_earlier_name() -> None:
    context = Context.build([github("acme/spec", issue(2, url=f"{OLD}2"))])
    assert context.repo("jo/draft") == "acme/spec"


def test_two_repositories_cannot_have_had_one_name() -> None:
    said = issue(2, body=f"{OLD}2#issuecomment-5")
    assert Context.build([github("acme/a", said), github("acme/b", said)]).repo("jo/draft") == "jo/draft"
