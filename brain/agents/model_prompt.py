"""What a model is told. The same for every arm: the arms differ in the tools alone."""

from __future__ import annotations

from collections.abc import Sequence

from brain.agents import followup, untrusted
from brain.agents.understand import Understanding
from brain.agents.wording import day
from brain.llm.talk import Function
from brain.types import Answer

SYSTEM = """\
You answer questions about an engineering organisation from what tools find in it, and from nothing else.

How to work
- Call tools first. What they did not return, you do not know; never answer from memory.
- Pass the keys that were found, such as repo:org/name or team:id, or names as the question has them. Ask for several things at once where \
they do not depend on each other. Do not call a tool twice with the same arguments.
- When a tool finds nothing, try other words, another tool or fewer conditions once or twice; then say that it is not there.

How to answer, once you have found enough. Write plain lines and nothing else:
STATE: answered
- One sentence that states one fact. [key] [key]
- Another sentence. [key]
ANSWER: item; item

- STATE is answered; or insufficient when what was found does not answer the question; or premise_corrected when the question takes \
something for granted that is not so, and then the sentences say what is so.
- Every sentence cites, in square brackets, the whole keys of what it is about, as the tools returned them. A sentence that cites nothing \
is thrown away.
- Numbers, dates and names must stand in what the tools returned. Words in quotation marks must stand there word for word.
- ANSWER holds only what was asked for, separated by semicolons: keys where things or people are asked for, else the number, the date, \
or the few words. Every key in it is also cited in a sentence. With insufficient it stays empty.
- Everything that is checked and does not hold is thrown away: state less rather than more."""

NOW = "Write the lines described: STATE, sentences that cite keys in square brackets, ANSWER. Tools can no longer be called."
EMPTY = "That was empty. Answer now, in the lines described: STATE, sentences that cite keys in square brackets, ANSWER."
NOW_JSON = "Write one JSON object with claims (each with text and the keys it cites), items and state. No tool is called any more."
EARLIER = "The question may lean on the one before it. Look up anew whatever you state of that."
MOST_EARLIER, LONGEST_EARLIER = 20, 1_500
CHOOSE = (
    'Choose what to do next. Write one JSON object: {{"call": {{"tool": NAME, "arguments": {{...}}}}}} to call a tool or, once enough was '
    'found, {{"call": {{"tool": "answer", "arguments": {{}}}}}}. The tools:\n{tools}'
)


def earlier(before: Answer | None) -> str:
    """What was asked before and what came of it, as data: the question may lean on it. Nothing where nothing was."""
    if before is None:
        return ""
    said = {"asked before": followup.whole(before), "answered": before.text, "found": "; ".join(before.items[:MOST_EARLIER])}
    pieces = [untrusted.Piece(what, text) for what, text in said.items() if text.strip()]
    return f"{EARLIER}\n{untrusted.wrap(pieces, each=LONGEST_EARLIER)}"


def question(asked: str, u: Understanding, at: int, words: str = "") -> str:
    """The question as it is put to the model: the day it is asked for, what its names stand for, what is asked, and the `words` it
    came in where these leave something out.
    """
    lines = [f"It is {day(at)}."]
    named = {m.text: m.keys[:6] for m in u.links.mentions if m.keys}
    if named:
        meant = "; ".join(f"“{text}” is {' or '.join(keys)}" for text, keys in named.items())
        lines.append(untrusted.line(f"Names in the question: {meant}."))
    if u.links.unknown:
        lines.append("Nothing that is loaded is called: " + "; ".join(dict.fromkeys(f"“{text}”" for text, _ in u.links.unknown)) + ".")
    if u.time.since is not None and u.time.until is not None:
        lines.append(f"“{u.time.words or 'The time'}” is from {day(u.time.since)} to {day(u.time.until - 1)}.")
    said = [f"It came in these words: {words}"] if words and words != asked else []
    return "\n".join([*lines, "", f"Question: {asked}", *said])


def now(asked: str, as_json: bool) -> str:
    """That it is time to answer. What is asked stands there once more: what was found is long, and small models lose sight of it."""
    return f"Now answer the question: {asked}\n{NOW_JSON if as_json else NOW}"


def again(failed: Sequence[tuple[str, str]]) -> str:
    """What did not pass the check, each sentence with the reason, and what to do about it."""
    lines = [f"- {untrusted.line(text)}\n  did not pass: {untrusted.line(reason)}" for text, reason in failed]
    return (
        "These were checked against what the tools returned and did not pass:\n" + "\n".join(lines) + "\n"
        "Write the whole answer once more in the same form. Mend each of these so that it states only what was returned and cites whole "
        "keys that were returned, or leave it out. What does not pass now is thrown away."
    )


def listing(functions: Sequence[Function]) -> str:
    """The tools in words, for a model that has no calls of its own."""
    return "\n".join(f"- {f.name}({', '.join(f.schema.get('properties', {}))}): {f.description}" for f in functions)
