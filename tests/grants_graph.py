"""A company in which every way to a restricted thing stands once: by team, by the team above, by role, by channel, by name; and
each that grants nothing: ended, not begun, waiting for a decision, of somebody who left.
"""

from __future__ import annotations

from claims_graph import Company, at

NOW = at("2025-06-01")
ROSTER, SECRET = "doc:roster.md", "doc:secret-roster.md"
PEOPLE = ("ada", "bo", "cy", "di", "ed", "fe", "gus", "hal", "ivy", "jo", "kay")
DOCS: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "open": ("open", ()), "internal": ("internal", ()), "heat": ("restricted", ("team:heat",)), "works": ("restricted", ("team:works",)),
    "warden": ("restricted", ("role:warden",)), "kiln": ("restricted", ("channel:kiln",)), "hal": ("restricted", ("person:hal",)), "top": ("restricted", ("team:top",)),
    "none": ("restricted", ()), "ghosts": ("restricted", ("team:ghosts",)), "two": ("restricted", ("role:warden", "team:heat")),
    "bare": (None, ()), "later": ("open", ()), "gone": ("internal", ()),
}  # fmt: skip


def company() -> Company:
    c = Company()
    said = [f"{p} is in a group {n}" for p in PEOPLE for n in range(3)]
    for key, access in ((ROSTER, "open"), (SECRET, "restricted")):
        c.doc(key.partition(":")[2], "\n".join(said), access)
    for login in PEOPLE:
        c.node(f"person:{login}", login.title(), login=login, departed_at=at("2025-05-01") if login == "fe" else None)
    for key in ("team:heat", "team:works", "team:top", "role:warden", "channel:kiln"):
        c.node(key)
    for path, (access, aud) in DOCS.items():
        more = {"at": at("2025-07-01")} if path == "later" else {"gone": at("2025-05-01")} if path == "gone" else {}
        c.node(f"doc:{path}", f"On {path}", path=path, access=access, aud=list(aud) or None, **more)

    def put(who: str, rel: str, group: str, on: str = ROSTER, **more: object) -> None:
        quote = f"{who} is in a group 0"
        access = "restricted" if on == SECRET else "open"
        c.claim(f"person:{who}", rel, group, on, said.index(quote) + 1, quote, access=access, **more)

    put("ada", "MEMBER_OF", "team:heat", valid_from=at("2024-01-01"))
    put("bo", "MEMBER_OF", "team:heat", valid_to=at("2025-05-01"))
    put("cy", "MEMBER_OF", "team:heat", valid_from=at("2025-07-01"))
    put("di", "HOLDS_ROLE", "role:warden")
    c.edge("person:ed", "IN_CHANNEL", "channel:kiln")
    c.edge("person:bo", "IN_CHANNEL", "channel:kiln", valid_to=at("2025-05-01"))
    put("fe", "MEMBER_OF", "team:heat")
    put("gus", "MEMBER_OF", "team:heat", state="candidate")
    put("ivy", "MEMBER_OF", "team:works")
    put("jo", "HOLDS_ROLE", "role:warden", on=SECRET)
    c.edge("team:heat", "PART_OF", "team:works")
    c.edge("team:works", "PART_OF", "team:top")
    put("ada", "OWNS", "doc:open", on=SECRET)
    return c
