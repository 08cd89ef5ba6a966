"""The words of an alert, how rare they are, and where a sentence stands."""

from brain.incident.symptoms import Rarity, body, profile, prose, standing, written

DOC = "Late thresholds\n---\ntitle: Late thresholds\nkind: runbook\n---\n\n# Late thresholds\n\nLook at the bus first.\nThen at the store, which\nwrites in batches."


def test_the_alerts_own_words_weigh_more_than_those_of_what_was_written_about_such_alerts():
    made = profile(["ThresholdEvaluationLag"], ["Look at the batches and the threshold"], ["event-bus"])
    assert made.weights["threshold"] == 1.0
    assert made.weights["batch"] == 0.6


def test_names_of_services_numbers_and_the_words_of_every_alert_say_nothing():
    made = profile(["Alert: event bus critical 42 of go"], [], ["event-bus"])
    assert not made.weights


def test_a_word_says_more_the_fewer_passages_it_stands_in():
    rarity = Rarity(1000, {"batch": 4, "servic": 500, "window": 40})
    assert rarity.of("batch") > rarity.of("window") > rarity.of("servic") > 0
    assert rarity.rarest(["servic", "batch", "window"], 2) == ["batch", "window"]
    assert rarity.of("nowhere") == 1.0
    assert Rarity(0).of("batch") == 0.5


def test_terms_are_told_as_they_are_written():
    assert written(["batch", "connect", "gone"], "Keep Connections open while batches wait") == ["batches", "connections", "gone"]


def test_front_matter_headings_and_titles_are_no_prose():
    assert body(DOC).strip().startswith("# Late thresholds")
    assert "kind" not in body(DOC)
    assert prose(DOC).split() == ["Look", "at", "the", "bus", "first.", "Then", "at", "the", "store,", "which", "writes", "in", "batches."]


def test_a_sentence_stands_on_the_line_where_it_begins():
    assert standing("Title\none line\nThe second. It says so\nlast", 10, "The second.") == 11
    assert standing("Title\none line", 10, "not there at all") == 10
