"""The settings: one frozen object, read from the environment here and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

from brain.errors import HopcheckError


def _setting(env: str, default: Any, doc: str, secret: bool = False, least: int | None = None) -> Any:
    return field(default=default, repr=not secret, metadata={"env": env, "doc": doc, "secret": secret, "least": least})


@dataclass(frozen=True)
class Settings:
    """Everything that can be set. Each field names its environment variable and says what it does."""

    home: Path = _setting("BRAIN_HOME", Path(platformdirs.user_data_dir("hopcheck")), "Folder that holds all state: the database, loaded records, vectors, runs.")
    falkordb_url: str = _setting("FALKORDB_URL", "", "A FalkorDB server to use instead of the embedded one: `redis://`, `rediss://` or `unix://`, with user and password.", secret=True)
    workspace: str = _setting("BRAIN_WORKSPACE", "demo", "Workspace that the app and the command line open when none is named.")
    viewer: str = _setting("BRAIN_VIEWER", "", "Who the command line asks as, when `--as` is not given; empty is the local administrator.")
    admins: str = _setting("BRAIN_ADMINS", "", "Logins or e-mail addresses of the administrators, separated by commas. They are compared as they are and stored nowhere.", secret=True)
    members: str = _setting("BRAIN_MEMBERS", "", "Who is a member of the organisation although no list of people, team or role says so: domains of e-mail addresses, separated by commas, or `*` for every login. Empty: a login that is not known reads what is open.")
    login_claims: str = _setting("BRAIN_LOGIN_CLAIMS", "preferred_username,login,email", "Claims of a login that say who it is, in this order. Leave out what people can choose themselves.")
    trust_email: bool = _setting("BRAIN_TRUST_EMAIL", False, "1: an address in a token counts although its issuer does not say that it was verified.")
    redis_server: str = _setting("BRAIN_REDIS_SERVER", "", "Path of a redis-server to embed; empty takes the one of the installed wheel.")
    falkordb_module: str = _setting("BRAIN_FALKORDB_MODULE", "", "Path of a falkordb.so to embed; empty takes the one of the installed wheel.")
    idle_stop_s: int = _setting("BRAIN_IDLE_STOP_S", 60, "Seconds without any client after which the embedded database stops.", least=0)
    sandbox_mb: int = _setting("BRAIN_SANDBOX_MB", 1536, "Megabytes of address space for the server of its own that runs an administrator's free-form Cypher; about 400 are its code.", least=1)
    read_timeout_ms: int = _setting("BRAIN_READ_TIMEOUT_MS", 5000, "Longest a read may take, in milliseconds.", least=1)
    model_dir: str = _setting("BRAIN_EMBED_DIR", "", "Folder with `model.onnx` and `tokenizer.json` to embed with; empty takes the packaged MiniLM.")
    embed_url: str = _setting("BRAIN_EMBED_URL", "", "Base URL of an OpenAI-compatible embeddings endpoint to use instead.")
    embed_model: str = _setting("BRAIN_EMBED_MODEL", "", "Model name for that endpoint.")
    embed_key: str = _setting("BRAIN_EMBED_KEY", "", "API key for that endpoint.", secret=True)
    embed_dim: int = _setting("BRAIN_EMBED_DIM", 384, "Dimension of the vectors.", least=1)
    llm_url: str = _setting("OPENAI_BASE_URL", "", "Base URL of an OpenAI-compatible server for the engine `openai`, such as `http://localhost:11434/v1`; empty is OpenAI's own.")
    llm_key: str = _setting("OPENAI_API_KEY", "", "Key for that server; local servers need none.", secret=True)
    llm_models: str = _setting("BRAIN_LLM_MODELS", "", "Models of that server, separated by commas, in the order in which they are tried. Empty: there is no engine `openai`, and nothing is ever sent.")
    llm_mode: str = _setting("BRAIN_LLM_MODE", "auto", "How a model chooses tools: `tools` (calls of its own), `json` (a choice as JSON that a schema constrains), `auto` (the first, and the second where the server refuses it or its model makes no calls).")
    llm_tools: str = _setting("BRAIN_LLM_TOOLS", "", "Tools of the graph arm that a model is offered, separated by commas; empty offers all that read. Small models choose better among few.")
    llm_steps: int = _setting("BRAIN_LLM_STEPS", 6, "Most turns of a model in one question, at most 6.", least=2)
    llm_timeout_s: int = _setting("BRAIN_LLM_TIMEOUT_S", 60, "Longest one exchange with a model may take, in seconds, pauses between its words included.", least=1)
    llm_retries: int = _setting("BRAIN_LLM_RETRIES", 2, "How often a busy or silent server is asked again before the next model is tried.", least=0)
    llm_max_tokens: int = _setting("BRAIN_LLM_MAX_TOKENS", 1024, "Most tokens a model may write in one turn.", least=16)
    llm_prompt_tokens: int = _setting("BRAIN_LLM_PROMPT_TOKENS", 24000, "Most tokens a model is given in one turn; what tools returned is cut to fit.", least=1000)
    llm_seed: int = _setting("BRAIN_LLM_SEED", 7, "Seed sent with every exchange.")
    llm_prices: str = _setting("BRAIN_LLM_PRICES", "", "What a million tokens cost in US dollars, read, written and read from the server's cache: `model=2.5/10/1.25, other=0.1/0.4`. A model that is not named has no known price.")
    llm_limits: str = _setting("BRAIN_LLM_LIMITS", "question.tokens=120000", "Budgets, as `scope.what=number` with commas between: scopes question, viewer (a day), day, month; what is tokens, usd or runs.")
    llm_record: str = _setting("BRAIN_LLM_RECORD", "", "File (.jsonl) to which every exchange with a model is added, without keys and headers. It holds what was asked and what was found for it.")
    llm_replay: str = _setting("BRAIN_LLM_REPLAY", "", "A recording to answer from instead of a server.")
    github_token: str = _setting("GITHUB_TOKEN", "", "Token for loading from GitHub live.", secret=True)
    github_api: str = _setting("GITHUB_API_URL", "https://api.github.com", "Root of the GitHub REST API.")
    http_timeout_s: int = _setting("BRAIN_HTTP_TIMEOUT_S", 30, "Seconds before a silent HTTP peer is given up.", least=1)

    @property
    def workspaces(self) -> Path:
        """The folder with one sub-folder a workspace: its records, vectors and reports."""
        return self.home / "workspaces"


def _convert(name: str, raw: str, like: Any, least: int | None) -> Any:
    if isinstance(like, bool):
        return raw.strip().lower() in ("1", "true", "yes", "on")
    if isinstance(like, int):
        try:
            number = int(raw)
        except ValueError:
            raise HopcheckError(f"{name}={raw!r} is not a whole number") from None
        if least is not None and number < least:
            raise HopcheckError(f"{name}={raw!r} is too small; legal: {least} or more")
        return number
    if isinstance(like, Path):
        return Path(raw).expanduser()
    return raw


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings from the environment (or the mapping given); one line of error for a bad value."""
    env = os.environ if environ is None else environ
    values = {}
    for f in fields(Settings):
        raw = env.get(f.metadata["env"], "")
        if raw != "":
            values[f.name] = _convert(f.metadata["env"], raw, f.default, f.metadata["least"])
    return Settings(**values)


def runtime_folder() -> str:
    """The platform's private folder for sockets; empty when it names none."""
    return os.environ.get("XDG_RUNTIME_DIR", "")


def environment(import_from: str) -> dict[str, str]:
    """The environment for a process of ours that finds this package in the folder `import_from`."""
    paths = [import_from, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def table() -> str:
    """The settings as a Markdown table, for the README."""
    rows = ["| variable | default | what it does |", "|---|---|---|"]
    for f in fields(Settings):
        default = "platform's data folder" if f.name == "home" else (f"`{f.default}`" if f.default != "" else "")
        rows.append(f"| `{f.metadata['env']}` | {default} | {f.metadata['doc']} |")
    return "\n".join(rows)
