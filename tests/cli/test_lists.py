"""What the commands that list things print of each."""

import pytest

from goldassay.cli.lists import _get, _print_task, tasks
from goldassay.tasks.task import list_tasks


@pytest.mark.parametrize("name", list_tasks())
def test_a_task_is_shown_with_all_that_is_registered_of_it(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "10000")
    task = list_tasks()[name]
    _print_task(task)
    lines = capsys.readouterr().out.splitlines()
    parts = {line: at for at, line in enumerate(lines) if line and not line.startswith(" ")}
    assert lines[0] == f"{name}: {task.benchmark.title}"
    assert {f"page      {task.benchmark.page}", f"licence   {task.benchmark.licence}"} <= parts.keys()
    assert lines[parts["command"] + 1] == f"  goldassay score --task {name} PRED"
    measures = [f"  {spec}" for spec in task.measures]
    options = [f"  --{option} {value}" for option, value in task.options.items()]
    start = parts["measures"] + 1
    assert lines[start : lines.index("", start)] == [*measures, *options]
    files = [f"  {one.path} (SHA-256 {one.sha256 or 'not published'})" for one in task.files]
    start = parts["files"] + 1
    way = "--download" if all(one.url for one in task.files) else task.get or task.benchmark.page
    assert lines[start : lines.index("", start)] == [*files, f"  get them: {way}"]
    assert _get(task, "elsewhere") == ("--download" if way == "--download" else "elsewhere")
    published = task.benchmark.published
    rest = lines[lines.index("", start) + 1 :]
    assert rest[0] == ("published" if published else "published: nothing that is registered here")
    for row, one in enumerate(published, start=1):
        assert rest[row].startswith(f"  {one.system}: ")
        numbers = [f"{name} {value:.4f}" for values in one.values.values() for name, value in values.items()]
        assert [number for number in numbers if number not in rest[row]] == []
    assert rest[len(published) + 1 :] == [f"  from {one}" for one in dict.fromkeys(one.source for one in published)]


@pytest.mark.parametrize("name", list_tasks())
def test_long_lines_of_a_task_go_on_below_their_words(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "10000")
    _print_task(list_tasks()[name])
    whole = capsys.readouterr().out.splitlines()
    monkeypatch.setenv("COLUMNS", "60")
    _print_task(list_tasks()[name])
    lines = capsys.readouterr().out.splitlines()
    # No word is broken, also where one is longer than the screen.
    assert [line for line in lines if len(line) > 60 and len(line.split()) > 1] == []
    assert " ".join(lines).split() == " ".join(whole).split()
    joined: list[str] = []
    for line in whole:
        joined.append(lines.pop(0))
        while len(joined[-1].split()) < len(line.split()):
            assert lines[0].startswith(" " * (len(line) - len(line.lstrip()) + 2))
            joined[-1] += f" {lines.pop(0).strip()}"
    assert [line.split() for line in joined] == [line.split() for line in whole]


def test_titles_of_tasks_are_whole_on_a_narrow_screen(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "54")
    tasks()
    head, _, *lines = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    shown = "".join(line[head.index("title") :] for line in lines)
    assert shown.replace(" ", "") == "".join(one.benchmark.title for one in list_tasks().values()).replace(" ", "")
