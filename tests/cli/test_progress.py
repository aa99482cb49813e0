"""The bar that long work shows on a terminal: what goes on, how much a second, and how much time is left."""

import io

import goldassay
from goldassay.cli import screen
from goldassay.formats import triples


def test_the_bar_shows_rate_and_time_left(monkeypatch):
    shown = io.StringIO()
    shown.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    with screen.progress_bar(quiet=False) as progress:
        progress("reading a[/b].ttl", 0, 0)
        progress(f"reading {'long/' * 30}name.ttl", 900_000, 1_000_000)
        progress(f"reading {'long/' * 30}name.ttl", 1_000_000, 1_000_000)
        for done in range(3):
            progress("encoding", done * 400, 1000)
    assert "reading a[/b].ttl" in shown.getvalue()
    assert "reading …" in shown.getvalue()
    assert "long/long/name.ttl" in shown.getvalue()
    assert "encoding" in shown.getvalue()
    assert "80%" in shown.getvalue()
    assert "/s" in shown.getvalue()


def test_no_bar_is_shown_where_no_one_looks_or_wants_it(capsys):
    with screen.progress_bar(quiet=False) as progress:
        progress("encoding", 1, 2)
    assert capsys.readouterr().err == ""


def test_reading_a_large_file_shows_how_far_it_is(monkeypatch, tmp_path):
    monkeypatch.setattr(triples, "LARGE", 100)
    path = tmp_path / "a.nt"
    line = "<http://a/{}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://a/top> .\n"
    path.write_text("".join(line.format(number) for number in range(2000)))
    message = []
    goldassay.evaluate(path, gold=path, measures="literal", progress=lambda *words: message.append(words))
    pieces = [words for words in message if words[0] == f"reading {path}"]
    assert pieces[0][1:] == (0, 0)
    assert len({done for _, done, total in pieces if total == path.stat().st_size}) > 2
    assert pieces[-1][1:] == (1, 1)
