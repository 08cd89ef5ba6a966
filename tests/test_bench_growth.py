"""The made-up company is read by every connector, is the same each time, and grows as asked; a broken bound is seen."""

from brain import bench_company, bench_growth, loads
from brain.bench_growth import Growth, Load
from brain.found import look


def files(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_the_company_is_the_same_each_time_and_larger_when_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(bench_company, "PULLS", 3)
    for name, times in (("a", 1), ("b", 1), ("c", 2)):
        bench_company.write(tmp_path / name, times)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    lines = {n: (tmp_path / n / "tickets" / "support.jsonl").read_text().count("\n") for n in "ac"}
    assert lines == {"a": bench_company.TICKETS, "c": 2 * bench_company.TICKETS}


def test_every_part_of_the_company_is_of_a_format_that_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(bench_company, "PULLS", 3)
    bench_company.write(tmp_path, 1)
    told = " ".join(loads.auto.__doc__.split())
    assert "told by its content" in told and look(tmp_path)


def test_a_load_that_grows_faster_than_its_folder_is_seen():
    small, large = Load(1, 100, 2.0, 100.0), Load(10, 1000, 24.0, 300.0)
    assert bench_growth.bound(Growth(small, large)).holds
    assert not bench_growth.bound(Growth(small, Load(10, 1000, 24.1, 300.0))).holds
