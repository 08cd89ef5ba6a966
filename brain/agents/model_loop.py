"""The engine that a model drives: it chooses tools, tools answer, it says what it found, and what it says is checked.

Whatever a model does wrong is a step and bounded. Where it cannot choose tools by calls it is asked for a choice as JSON, and where that
fails too the built-in planner answers; each step down is told to whoever asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from brain.agents import builtin, model_calls, model_prompt, model_says, untrusted
from brain.agents.model_claims import Judge, Judged
from brain.agents.model_says import Said
from brain.agents.model_talk import Engine, Talk, down
from brain.agents.model_tools import Toolset
from brain.agents.run import EMPTY, Draft, Run
from brain.agents.understand import Understanding
from brain.agents.wording import is_key
from brain.errors import BudgetSpent, ModelDown, ModelRefused, ToolError
from brain.llm.talk import Call, Message, Reply
from brain.statements import keys
from brain.text.lexicon import Lexicon
from brain.tools import Tool
from brain.types import Answer, Arm, State

MOST_CALLS = 8
NAMED = frozenset({"Service", "Team", "Module", "System", "Api", "Resource", "Ticket"})
ANSWERED = NAMED | {"Person", "Repo", "Incident", "Alert", "Release"}
MOST_BACK, MOST_CITABLE, MOST_LEANT_ON = 8, 100, 12
EACH, WHOLE, SHARE = 12_000, 16_000, 1.5
"""Letters of one piece and of all that a call gave, and the most letters of it for each token that a prompt may have."""
ASKED = "the model asked for it"


def draft(
    question: str, arm: Arm, run: Run, lexicon: Lexicon, before: Answer | None, engine: Engine, tools: Mapping[str, Tool]
) -> Draft:
    """The draft that a model makes, checked already; the built-in engine's where the model did not answer and may be stood in for.

    Raises ModelDown or BudgetSpent where it may not, Cancelled when a person stops it.
    """
    ctx, now = run.ctx, run.ctx.as_of
    toolset = Toolset(tools, arm, ctx.viewer, engine.limits.tools)
    u, _ = builtin.understood(question, run, lexicon, now, before)
    try:
        return _Asked(u, run, engine, toolset, question, before).draft()
    except BudgetSpent as err:
        spare = engine.spare(question) if engine.fall_back else None
        if spare is not None:
            down(run, f"{err}; the recording of a model answers, which was asked this before")
            engine.model, engine.limits = spare
            try:
                return _Asked(u, run, engine, Toolset(tools, arm, ctx.viewer, engine.limits.tools), question, before).draft()
            except ModelDown as gone:
                err = BudgetSpent(f"{err}; {gone}")
        return _stood_in_for(question, arm, run, lexicon, before, engine, err)
    except ModelDown as err:
        return _stood_in_for(question, arm, run, lexicon, before, engine, err)


def _stood_in_for(
    question: str, arm: Arm, run: Run, lexicon: Lexicon, before: Answer | None, engine: Engine, err: ModelDown | BudgetSpent
) -> Draft:
    """The built-in engine's draft, which says why it is that one's."""
    if not engine.fall_back:
        raise err
    why = f"{str(err).rstrip('.')}. The built-in planner answers, without a model"
    down(run, why)
    made = builtin.draft(question, arm, run, lexicon, run.ctx.as_of, before)[0]
    made.lead = "\n".join(filter(None, (f"{why}.", made.lead)))
    return made


def _leant_on(before: Answer | None) -> list[str]:
    """What a question that names nothing starts from: what came of the one before it, and what that one named."""
    if before is None:
        return []
    named = [key for s in before.steps if s.tool == "link" for keys_ in s.args.get("names", {}).values() for key in keys_[:1]]
    return list(dict.fromkeys(key for key in (*before.items, *named) if is_key(key)))[:MOST_LEANT_ON]


def _found_nothing(judged: Judged) -> bool:
    """Does what failed cite nothing, as whoever says that nothing was found must? Writing it once more could not mend it."""
    return not any(c.cites for c in judged.failed)


class _Asked:
    """One question on its way through a model."""

    def __init__(self, u: Understanding, run: Run, engine: Engine, toolset: Toolset, words: str, before: Answer | None) -> None:
        self.u, self.run, self.engine, self.toolset = u, run, engine, toolset
        self.asked = next(str(s.args["question"]) for s in reversed(run.steps) if s.tool == "link")
        self.put = model_prompt.question(self.asked, u, run.ctx.as_of, words)
        put = "\n\n".join(filter(None, (model_prompt.earlier(before), self.put)))
        self.talk = Talk(engine, run, [Message("system", model_prompt.SYSTEM), Message("user", put)])
        self.entries = [m.keys[0] for m in u.links.mentions if m.sure and m.keys and m.label != "Concept"] or _leant_on(before)
        self.seen: set[str] = set()
        self.idle, self.as_json = 0, False

    def draft(self) -> Draft:
        """Tools, then the answer, then the check; what fails is handed back once."""
        text = self._gather()
        said = model_says.read(text) if text else self._answer(model_prompt.now(self.asked, self.as_json))
        if not said and self.talk.left > 1:
            said = self._answer(model_prompt.EMPTY)
        judge = Judge(self.run, self.entries, self.put, self._named(), self._called)
        judged = judge.judge(said)
        if judged.failed and self.talk.left > 0 and not (said.state == "insufficient" and _found_nothing(judged)):
            judged, said = self._handed_back(judge, judged, said)
        return self._drafted(judged, said)

    def _named(self) -> list[str]:
        """The keys of the things that sentences name plainly, as far as whoever asks may know of them."""
        return [key for key, label in self.u.lexicon.company.items() if label in NAMED]

    def _called(self, name: str) -> list[str]:
        """The keys of what is called so: people, and what an answer may name, and no documents about them."""
        return sorted({n.key for n in self.u.lexicon.get(name) if n.label in ANSWERED})

    def _drafted(self, judged: Judged, said: Said) -> Draft:
        state: State = said.state or ("answered" if judged.kept else "insufficient")
        if not judged.kept or (state == "answered" and not said):
            state = "insufficient"
        return Draft([*judged.items], [], state, entries=self.entries, judged=(judged.kept, judged.failed), engine="openai")

    # -- tools -------------------------------------------------------------------------------

    def _gather(self) -> str:
        """Tool calls until the model answers or has no turn left for them; what it answered, if it did."""
        if self.engine.limits.mode != "json":
            try:
                return self._by_calls()
            except ModelRefused as err:
                if self.engine.limits.mode == "tools":
                    raise
                down(self.run, f"{err}; it is asked to choose tools as JSON instead")
        return self._by_choice()

    @property
    def _may_call(self) -> bool:
        """A turn is kept for the answer and, once anything was looked up, one for handing it back, where there are so many."""
        kept = min(2, self.engine.limits.steps - 1) if self.seen else 1
        return self.talk.left > kept and self.idle < 2

    def _by_calls(self) -> str:
        while self._may_call:
            first = not self.seen
            reply = self.talk.ask("the model chooses tools", "tools", self.toolset.functions, choice="required" if first else "auto")
            made = model_calls.calls(reply, self.toolset.names, self.talk.turns)
            if made:
                self._call(reply.text if reply.calls else "", made)
            elif first and self.engine.limits.mode == "auto" and model_says.read(reply.text).state != "insufficient":
                raise ModelRefused(f"{reply.model or 'the model'} made no call although it was to make one")
            elif reply.finish == "too_long" or not reply.text.strip():
                return ""
            else:
                self.talk.replied(reply)
                return reply.text
        return ""

    def _by_choice(self) -> str:
        self.talk.in_plain_turns()
        self.idle, functions = 0, self.toolset.functions
        self.as_json = True
        self.talk.tell(model_prompt.CHOOSE.format(tools=model_prompt.listing(functions)))
        while self._may_call:
            schema = model_calls.choice_schema(functions, answer=bool(self.seen))
            reply = self.talk.ask("the model chooses a tool, as JSON", "json", schema=schema)
            call = model_calls.chosen(reply.text)
            if call is None:
                self._misfit(reply)
            elif call.name == model_calls.ANSWER:
                return ""
            else:
                self._call(reply.text, [Call(f"choice_{self.talk.turns}", call.name, call.arguments)])
                self.talk.in_plain_turns()
                if self._may_call:
                    self.talk.say("Choose again, or answer.")
        return ""

    def _misfit(self, reply: Reply) -> None:
        """A choice that is none: said so once, then the model is given up."""
        self.idle += 1
        if self.idle > 1 or not (reply.text.strip() or self.seen):
            raise ModelDown(f"{reply.model or 'the model'} chose no tool, neither by a call nor as JSON")
        self.talk.replied(reply)
        self.talk.say('That is no choice. Write one JSON object such as {"call": {"tool": "answer", "arguments": {}}}.')

    def _call(self, text: str, calls: Sequence[Call]) -> None:
        """Calls the tools, at most eight of a turn, and tells the model what each gave."""
        got = [self._result(call) for call in calls[:MOST_CALLS]]
        self.idle = 0 if any(fresh for _, fresh in got) else self.idle + 1
        over = [f"Error: not called, at most {MOST_CALLS} calls in one turn"] * (len(calls) - MOST_CALLS)
        self.talk.called(text, calls[: 4 * MOST_CALLS], [*(said for said, _ in got), *over][: 4 * MOST_CALLS])

    def _result(self, call: Call) -> tuple[str, bool]:
        """What a call gave, as the model is told, and whether it gave anything new."""
        self.engine.stop()
        try:
            args = self.toolset.arguments(call)
        except ToolError as err:
            self.run.add(call.name[:80] or "?", ASKED, {"arguments": call.arguments[:500]}, EMPTY, str(err), 0.0)
            return f"Error: {untrusted.line(str(err))}", False
        signature = f"{call.name} {orjson.dumps(args, option=orjson.OPT_SORT_KEYS, default=str).decode()}"
        if signature in self.seen:
            why = "called before with the same arguments; what it gave stands above: answer, or call something else"
            self.run.add(call.name, ASKED, args, EMPTY, why, 0.0)
            return f"Error: {why}", False
        self.seen.add(signature)
        try:
            found = self.toolset.run(self.run, call.name, args, ASKED)
        except ToolError as err:
            return f"Error: {untrusted.line(str(err))}", True
        whole = min(WHOLE, int(self.engine.limits.prompt_tokens * SHARE))
        return untrusted.wrap(found, each=min(EACH, whole * 3 // 4), whole=whole), True

    # -- answer ------------------------------------------------------------------------------

    def _answer(self, say: str, why: str = "the model answers", about: Mapping[str, Any] | None = None) -> Said:
        """The answer, when no tool is offered any more; nothing when no turn is left for it."""
        if self.talk.left < 1:
            return Said()
        self.talk.say(say)
        cited = self._citable() if self.as_json else []
        most = model_calls.claims_within(self.engine.limits.max_tokens)
        how: dict[str, Any] = {"schema": model_calls.answer_schema(cited, most)} if cited else {}
        reply = self.talk.ask(why, "answer", about=about, **how)
        self.talk.replied(reply)
        return model_says.read(reply.text) if reply.finish != "too_long" else Said()

    def _citable(self) -> list[str]:
        """The keys that an answer may cite: those the question names, and those that were returned first."""
        returned = (n.key for s in self.run.steps for n in s.nodes)
        return list(dict.fromkeys([*self.entries, *(k for s in self.run.steps for k in keys(s.rows)), *returned]))[:MOST_CITABLE]

    def _handed_back(self, judge: Judge, first: Judged, said: Said) -> tuple[Judged, Said]:
        """The answer after what failed was handed back once, with the reasons. What passed the first time stands."""
        failed = [(c.text, c.reason) for c in first.failed][:MOST_BACK]
        why = f"the model answers once more: {len(first.failed)} of its statements did not pass the check"
        again = self._answer(model_prompt.again(failed), why, {"handed_back": [list(f) for f in failed]})
        if not again:
            return first, said
        second = judge.judge(again)
        stood = {frozenset(c.cites) for c in first.kept} | {c.text for c in first.kept}
        kept = (*first.kept, *(c for c in second.kept if c.text not in stood and frozenset(c.cites) not in stood))
        return Judged(kept, second.failed, second.items if again.items else first.items), replace(again, state=again.state or said.state)
