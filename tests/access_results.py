"""A result of every check of access, as the checks keep them, with hostile words where words of the company stand."""

EVIL = "<img src=x onerror=alert(1)> ![x](http://evil.test)"
PROBE = {
    "viewers": [{"id": "ada", "hidden": 3}], "arms": ["graph", "vector"], "questions": 12, "probes": 60, "answers": 144, "calls": 5,
    "leaks": [{"viewer": "ada", "arm": "graph", "question": EVIL, "where": "rows", "what": EVIL}], "n_leaks": 201, "seconds": 1.0,
}  # fmt: skip
DIFFERENTIAL = {
    "viewers": [{"id": "ada", "people": 1, "nodes_removed": 1, "edges_removed": 2}], "queries": 3, "calls": 4, "questions": 5, "compared": 12,
    "differences": [], "n_differences": 0, "seconds": 1.0, "slowdown": 1.1,
}  # fmt: skip
MUTATION = {"total": 9, "caught": 9, "queries": [{"name": "expand", "weakened": 9, "caught": 9}], "missed": [], "seconds": 1.0}
_ON, _OFF = ({"rpr": rpr, "leakage": rpr * 2, "amplification": None, "pivot_depth": None, "items": 10} for rpr in (0.0, 0.75))
PIVOT = {"k": 10, "seeds": 40, "arms": {"graph": {"on": _ON, "off": _OFF}, "vector": {"on": _ON, "off": _OFF}}}
COST = {"sources": 100, "restricted": 10, "groups": 50, "median_ratio": 1.25, "worst": [{"tool": "expand", "ratio": 1.4}], "calls": 7, "holds": True}
RESULTS = {"probe": PROBE, "differential": DIFFERENTIAL, "mutation": MUTATION, "pivot": PIVOT, "cost": COST}
