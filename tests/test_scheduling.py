"""Of several processes that run tests, each test is run by one, with the other cases of its function."""

import re
from types import SimpleNamespace

import pytest

pytest.importorskip("xdist", reason="pytest-xdist is not installed")
from tests.scheduling import ByFunction
from xdist.remote import Producer

FEW = [f"tests/test_a.py::test_{name}[{case}]" for name in "abcdef" for case in range(5)]
FEW += [f"tests/test_{module}.py::test_g[{case}]@together" for module in "bc" for case in range(3)]


class Process:
    """A process that takes what it is given."""

    def __init__(self, number):
        self.gateway, self.shutting_down, self.waiting, self.done = SimpleNamespace(id=f"gw{number}"), False, [], []

    def send_runtest_some(self, places):
        self.waiting += places

    def shutdown(self):
        self.shutting_down = True


def begun(tests, processes):
    """Give the first tests to processes."""
    config = SimpleNamespace(
        getvalue=lambda _: [f"{len(processes)}*popen"], option=SimpleNamespace(loadscopereorder=False)
    )
    scheduler = ByFunction(config, Producer("tests", enabled=False))
    for process in processes:
        scheduler.add_node(process)
    for process in processes:
        # Each process sends texts of its own, which take longer to compare than a text with itself.
        scheduler.add_node_collection(process, "\n".join(tests).split("\n"))
    scheduler.schedule()
    return scheduler


def step(scheduler, process, tests):
    """Run one test in a process; like one of pytest-xdist it runs its last only where it knows that there is no other."""
    assert len(process.waiting) > 1 or process.shutting_down, "it waits for ever"
    place = process.waiting.pop(0)
    process.done.append(tests[place])
    scheduler.mark_test_complete(process, place)


def finish(scheduler, processes, tests):
    while any(process.waiting for process in processes):
        for process in processes:
            if process.waiting:
                step(scheduler, process, tests)
    assert scheduler.tests_finished
    assert not any(scheduler.remove_node(process) for process in processes)


def test_each_test_is_run_once_with_the_cases_of_its_function_and_its_group():
    processes = [Process(number) for number in range(3)]
    finish(begun(FEW, processes), processes, FEW)
    assert sorted(test for process in processes for test in process.done) == sorted(FEW)
    where = {}
    for process in processes:
        for test in process.done:
            name = re.sub(r"\[.*\]", "", test) if "@" not in test else "together"
            where.setdefault(name, []).append((process.gateway.id, FEW.index(test)))
    assert len(where) == 7
    for run in where.values():
        assert len({process for process, _ in run}) == 1
        assert run == sorted(run)


def test_a_process_that_ends_gives_its_tests_to_others_and_one_that_replaces_it_is_asked_when_it_knows_them():
    one, other, late = (Process(number) for number in range(3))
    scheduler = begun(FEW, [one, other])
    for _ in range(2):
        step(scheduler, one, FEW)
    assert scheduler.remove_node(one) == FEW[one.waiting[0]]
    scheduler.add_node(late)
    scheduler.schedule()
    step(scheduler, other, FEW)
    assert late.waiting == []
    scheduler.add_node_collection(late, list(FEW))
    scheduler.schedule()
    assert late.waiting
    finish(scheduler, [other, late], FEW)
    assert sorted(test for process in (one, other, late) for test in process.done) == sorted(FEW)


def test_many_tests_take_linear_time():
    # Names that differ at their ends only take the longest to be compared.
    many = [f"tests/{'a' * 400}.py::test_{name:05}[{case}]" for name in range(20_000) for case in range(3)]
    processes = [Process(number) for number in range(2)]
    finish(begun(many, processes), processes, many)
