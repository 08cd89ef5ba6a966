"""One tiny question to each model of the settings."""

from __future__ import annotations

import pytest
from model_server import call, fails, model_server, text

from brain.errors import HopcheckError
from brain.llm.trying import set_up, try_each
from brain.settings import Settings


def test_each_model_is_asked_once_and_says_what_it_can():
    by_name = {
        "good": call("ready", answer="yes"),
        "plain": text("I am ready.", usage=None),
        "old": fails(400, "old does not support tools"),
        "gone": fails(404, "no such model"),
    }
    with model_server(lambda body: by_name[body["model"]]) as server:
        tried = {t.model: t for t in try_each(Settings(llm_url=server.url, llm_models=",".join(by_name)))}
    assert [body["model"] for body in server.requests] == list(by_name)
    assert {name: t.ok for name, t in tried.items()} == {"good": True, "plain": True, "old": True, "gone": False}
    assert "calls functions" in tried["good"].says and "estimated" not in tried["good"].says
    assert "makes no calls" in tried["plain"].says and "estimated" in tried["plain"].says
    assert "choose by JSON" in tried["old"].says and "check BRAIN_LLM_MODELS" in tried["gone"].says


def test_nothing_is_asked_where_no_model_is_set_or_a_recording_answers():
    with model_server([]) as server:
        for settings in (Settings(llm_url=server.url), Settings(llm_url=server.url, llm_models="m", llm_replay="kept.jsonl")):
            assert try_each(settings) == []
    assert "BRAIN_LLM_MODELS" in set_up(Settings())
    assert "kept.jsonl" in set_up(Settings(llm_replay="kept.jsonl"))


def test_how_the_engine_is_set_up_is_told_without_its_secrets():
    says = set_up(Settings(llm_url="https://me:pass@models.example/v1", llm_key="sk-secretsecret", llm_models="a, b"))
    assert says == "a, b at models.example; a key is set"
    assert set_up(Settings(llm_models="a")) == "a at api.openai.com; no key is set"


def test_a_setting_that_cannot_be_used_is_told():
    broken = Settings(llm_url="models.example", llm_models="a")
    with pytest.raises(HopcheckError, match="OPENAI_BASE_URL"):
        set_up(broken)
    assert [(t.ok, "OPENAI_BASE_URL" in t.says) for t in try_each(broken)] == [(False, True)]
