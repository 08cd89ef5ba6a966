"""A run as something to read: Markdown for a repository, and one HTML file that fetches nothing."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eval.records import Record, Run
from eval.rights import said
from eval.summary import summarise
from eval.usage import table as model_table

COLUMNS = (("value", "F1 / right"), ("exact", "fully right"), ("source_recall", "sources returned"), ("cited_recall", "sources cited"),
           ("support", "claims supported"))


def write(run: Run, folder: Path) -> tuple[Path, Path]:
    """Writes `report.md` and `report.html` into the folder and gives their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    md, page = folder / "report.md", folder / "report.html"
    md.write_text(markdown(run), encoding="utf-8")
    page.write_text(web_page(run), encoding="utf-8")
    return md, page


def _summary(run: Run) -> Mapping[str, Any]:
    return run.summary or summarise(run.records)


def share(value: float | None) -> str:
    """A mean as three digits, or a dash where nothing was scored."""
    return "-" if value is None else f"{value:.3f}"


def table(summary: Mapping[str, Any], measure: str) -> list[list[str]]:
    """Header, a row a category, overall and macro; a cell says how many were not scored."""
    arms = summary["arms"]
    rows = [["category", "questions", *arms]]
    groups = [*summary["categories"].items(), ("all", summary["overall"])]
    for name, by_arm in groups:
        cells = []
        for arm in arms:
            left = by_arm[arm].get(measure + "_unscored", 0)
            cells.append(share(by_arm[arm][measure]) + (f" ({left} not scored)" if left else ""))
        rows.append([name, str(by_arm[arms[0]]["n"]), *cells])
    if measure == "value":
        rows.append(["mean of categories", "", *(share(summary["overall"][a].get("macro")) for a in arms)])
    return rows


def times(summary: Mapping[str, Any]) -> list[list[str]]:
    """Milliseconds at the median and the 95th percentile, and failures, by arm."""
    rows = [["arm", "p50 ms", "p95 ms", "failed"]]
    for arm, c in summary["overall"].items():
        rows.append([arm, *(f"{c[k]:.1f}" if c[k] is not None else "-" for k in ("p50_ms", "p95_ms")), str(c["failures"])])
    return rows


def comparison(pair: Mapping[str, Any]) -> list[list[str]]:
    """The paired difference a category, with interval, wins and the exact test."""
    rows = [["category", f"{pair['a']} minus {pair['b']}", "95 % interval", "better / equal / worse", "McNemar p", "shown?"]]
    for name, x in [*pair["categories"].items(), ("all", pair["overall"])]:
        shown = ("yes" if x["difference"] > 0 else "worse") if x["decided"] else "no"
        rows.append([name, f"{x['difference']:+.3f}", f"{x['low']:+.3f} to {x['high']:+.3f}", f"{x['wins']} / {x['ties']} / {x['losses']}",
                     f"{x['p']:.2g}", shown])
    return rows


def _made(summary: Mapping[str, Any]) -> str:
    day = datetime.fromtimestamp(summary.get("created", 0), UTC)
    return f"{summary['questions']} questions" + (f" of {summary['set']}" if summary.get("set") else "") + f", {day:%Y-%m-%d %H:%M} UTC"


def _sections(run: Run) -> list[tuple[str, list[list[str]]]]:
    summary = _summary(run)
    out = [(title, table(summary, measure)) for measure, title in COLUMNS]
    out += [(f"Paired difference, {p['a']} against {p['b']}", comparison(p)) for p in summary["pairs"]]
    out += [("Model", model_table(summary["models"]))] if summary.get("models") else []
    return [*out, ("Time", times(summary))]


def _plain(text: Any) -> str:
    return " ".join(str(text).split())


def _cell(text: str) -> str:
    return html.escape(_plain(text), quote=False).replace("|", "\\|")


def _md_table(rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(_cell(c) for c in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def gold_text(record: Record) -> str:
    """The right answer in words: alternatives joined by "or", none said as such."""
    parts = [g if isinstance(g, str) else " or ".join(g) if isinstance(g, list | tuple) else str(g) for g in record["gold"]]
    return ", ".join(parts) or "none"


def answer_text(record: Record) -> str:
    """What the arm answered: its items, else its state, else the error."""
    if record["error"]:
        return f"failed: {record['error']}"
    answer = record["answer"] or {}
    items = ", ".join(str(i) for i in answer.get("items") or ())
    return items or f"({answer.get('state', 'no answer')}) {_plain(answer.get('text', ''))[:200]}"


def markdown(run: Run) -> str:
    """The report as Markdown; texts of the data are escaped, so that none of them becomes markup."""
    summary = _summary(run)
    out = [f"# Evaluation: {run.name}", _made(summary), f"**{_cell(summary['verdict'])}**", _cell(said(run))]
    for title, rows in _sections(run):
        out += [f"## {title}", _md_table(rows)]
    out.append("## Every question")
    rows = [["id", "question", "gold", *(a for a in run.arms)]]
    for name, by_arm in run.by_question().items():
        first = next(iter(by_arm.values()))
        cells = [f"{by_arm[a]['score']['value']:.2f}: {answer_text(by_arm[a])[:300]}" if a in by_arm else "-" for a in run.arms]
        rows.append([name, first["question"], gold_text(first), *cells])
    return "\n\n".join([*out, _md_table(rows)]) + "\n"


_STYLE = """
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:1200px;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}th,td{border:1px solid #8886;padding:.25rem .6rem;text-align:left;vertical-align:top}
details{border:1px solid #8885;border-radius:6px;margin:.3rem 0;padding:.2rem .6rem}summary{cursor:pointer}
.verdict{font-size:1.15rem;border-left:4px solid #c90;padding:.4rem .9rem}.arms{display:flex;gap:1rem;flex-wrap:wrap}
.arms>section{flex:1 1 20rem;min-width:0;overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}
.mark{font-variant-numeric:tabular-nums;font-weight:600}.low{color:#c33}nav label{margin-right:1rem}
"""
_SCRIPT = """
function pick(){const c=document.getElementById('cat').value,w=document.getElementById('wrong').checked;
document.querySelectorAll('details.q').forEach(d=>{d.hidden=(c&&d.dataset.cat!==c)||(w&&d.dataset.right==='1')})}
"""


def _h(text: Any) -> str:
    return html.escape(str(text))


def _html_table(rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th scope=col>{_h(c)}</th>" for c in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{_h(c)}</td>" for c in row) + "</tr>" for row in rows[1:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _claim(claim: Mapping[str, Any]) -> str:
    notes = [f"[{claim.get('verdict', '')}]", claim.get("reason") or "", ", ".join(claim.get("cites") or ())]
    return f"<li>{_h(claim.get('text', ''))} <small>{_h(' '.join(n for n in notes if n))}</small></li>"


def _claims(answer: Mapping[str, Any]) -> str:
    items = [_claim(c) for c in answer.get("claims") or ()]
    return f"<ul>{''.join(items)}</ul>" if items else ""


def _step(step: Mapping[str, Any]) -> str:
    told = {k: step.get(k) for k in ("why", "args", "params", "error", "rows") if step.get(k)}
    body = json.dumps(told, indent=1, ensure_ascii=False, default=str)
    title = f"{step.get('n', '')}. {step.get('tool', '')} · {step.get('rows_total', 0)} rows · {float(step.get('ms') or 0):.1f} ms"
    return f"<details><summary>{_h(title)}</summary><pre>{_h(step.get('cypher') or '')}</pre><pre>{_h(body)}</pre></details>"


def _arm(record: Record) -> str:
    answer = record["answer"] or {}
    value = record["score"]["value"]
    marks = " · ".join(f"{title} {share(record['score'][m])}" for m, title in COLUMNS if m not in ("value", "exact"))
    return (f"<section><h4>{_h(record['arm'])} <span class='mark{'' if value >= 1 else ' low'}'>{value:.2f}</span></h4>"
            f"<p>{_h(answer_text(record))}</p>{_claims(answer)}<p><small>{_h(marks)} · {record['ms']:.0f} ms</small></p>"
            + "".join(_step(s) for s in answer.get("steps") or ()) + "</section>")


def _question(name: str, by_arm: Mapping[str, Record]) -> str:
    first = next(iter(by_arm.values()))
    right = int(all(r["score"]["value"] >= 1 for r in by_arm.values()))
    marks = " ".join(f"{a} {r['score']['value']:.2f}" for a, r in by_arm.items())
    return (f"<details class=q data-cat='{_h(first['category'])}' data-right='{right}' id='{_h(name)}'>"
            f"<summary>{_h(first['question'])} <small>{_h(marks)}</small></summary>"
            f"<p>Gold: {_h(gold_text(first))} <small>{_h(name)}</small></p>"
            f"<div class=arms>{''.join(_arm(r) for r in by_arm.values())}</div></details>")


def web_page(run: Run) -> str:
    """The report as one HTML page: no script, font or picture from elsewhere, every text escaped."""
    summary = _summary(run)
    options = "".join(f"<option>{_h(c)}</option>" for c in run.categories)
    parts = [f"<h2>{_h(title)}</h2>{_html_table(rows)}" for title, rows in _sections(run)]
    questions = "".join(_question(n, r) for n, r in run.by_question().items())
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Evaluation: {_h(run.name)}</title><style>{_STYLE}</style><script>{_SCRIPT}</script>"
        f"<h1>Evaluation: {_h(run.name)}</h1><p>{_h(_made(summary))}</p><p class=verdict>{_h(summary['verdict'])}</p>"
        f"<p>{_h(said(run))}</p>{''.join(parts)}"
        f"<h2>Every question</h2><nav><label>Category <select id=cat onchange=pick()><option value=''>all</option>{options}</select>"
        "</label><label><input type=checkbox id=wrong onchange=pick()> only where an arm is not fully right</label></nav>"
        f"{questions}</html>\n"
    )
