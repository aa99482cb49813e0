from goldassay.core import timing
from goldassay.core.timing import Stopwatch, progressing, running, stage, time_block


def test_a_stage_within_another_one_counts_for_itself_only(monkeypatch):
    clock = iter([0, 1, 3, 4, 10, 12])
    monkeypatch.setattr(timing, "perf_counter", lambda: next(clock))
    message = []
    watch = Stopwatch(on_stage=lambda *words: message.append(words))
    with watch.stage("matching", "fuzzy"), watch.stage("encoding"), watch.stage("reading"):
        assert not message
    assert watch.seconds == {"matching": 3, "encoding": 8, "reading": 1}
    assert message == [("matching", "fuzzy", 12)]


def test_the_stopwatch_that_runs_is_the_same_within_and_none_outside():
    assert progressing() is None
    with stage("reading"):  # no one measures
        pass
    with time_block() as outer, time_block() as inner:
        assert outer is inner is running()
        with stage("reading"):
            pass
    assert [*outer.seconds] == ["reading"]
    assert running() is not outer


def test_the_example_of_stopwatch():
    watch = Stopwatch()
    with watch.stage("matching"), watch.stage("encoding"):
        pass
    assert list(watch.seconds) == ["matching", "encoding"]


def test_the_example_of_time_block():
    with time_block() as watch, stage("reading"):
        pass
    assert list(watch.seconds) == ["reading"]
