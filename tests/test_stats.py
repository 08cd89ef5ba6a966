import pytest
from scipy import stats as reference

from eval import stats


def test_the_difference_is_paired_and_its_interval_covers_it():
    a, b = [1, 1, 0, 1, 1, 0.5], [0, 1, 0, 0, 1, 0.5]
    p = stats.paired(a, b, list("abcdef"))
    assert p.difference == pytest.approx(2 / 6) and p.low <= p.difference <= p.high
    assert (p.wins, p.ties, p.losses) == (2, 4, 0) and p.n == p.clusters == 6


def test_questions_of_one_cluster_do_not_count_as_independent():
    gap = [1.0, 1.0, 1.0, 1.0, -0.2, -0.2, -0.2, -0.2] * 4
    zero = [0.0] * len(gap)
    alone = stats.paired(gap, zero, [str(i) for i in range(len(gap))])
    lumped = stats.paired(gap, zero, ["a" if g > 0 else "b" for g in gap])
    assert lumped.high - lumped.low > 2 * (alone.high - alone.low)
    assert alone.decided and not lumped.decided


def test_the_bootstrap_interval_is_near_the_normal_one():
    rng = __import__("numpy").random.default_rng(7)
    gap = rng.normal(0.3, 1, 400)
    p = stats.paired(list(gap), [0] * 400, [str(i) for i in range(400)])
    half = 1.96 * gap.std() / 20
    assert p.low == pytest.approx(gap.mean() - half, abs=0.02) and p.high == pytest.approx(gap.mean() + half, abs=0.02)
    assert p.detectable == pytest.approx(2.8 * gap.std() / 20, rel=0.1)


@pytest.mark.parametrize("one, other", [(0, 0), (5, 0), (3, 9), (20, 20), (40, 12)])
def test_mcnemar_is_the_exact_binomial_test(one, other):
    wanted = reference.binomtest(one, one + other).pvalue if one + other else 1.0
    assert stats.mcnemar(one, other) == pytest.approx(wanted)


def test_means_leave_out_what_is_not_scored():
    assert stats.mean([1, None, 0]) == 0.5 and stats.mean([None]) is None and stats.mean([]) is None
    assert stats.macro({"a": [1, 1, 1, 1], "b": [0], "c": [None]}) == 0.5
    assert stats.percentile([1, 2, 3, 4], 50) == 2.5 and stats.percentile([], 95) is None


def test_nothing_to_compare_decides_nothing():
    assert not stats.paired([], [], []).decided
    with pytest.raises(ValueError, match="give one of each"):
        stats.paired([1], [], ["a"])


def test_same_seed_same_interval():
    a, b, c = [1, 0, 1, 1], [0, 0, 1, 0], list("aabb")
    assert stats.paired(a, b, c) == stats.paired(a, b, c)
