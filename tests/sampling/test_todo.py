"""The page that labels items shows nothing that hides, and runs nothing that a label says."""

import json
import re

from goldassay.sampling.todo import page_of

ROW = {"id": "1", "child": "\u202ecat</script><script>alert(1)", "text": "\U000e0041dog", "label": ""}


def test_the_page_shows_what_would_hide_by_its_number_and_keeps_it_in_the_table():
    data = json.loads(
        re.search(r'id="data">(.*?)</script>', page_of([ROW], title="\u2066t", name="a.csv"), re.DOTALL)[1]
    )
    assert data["rows"] == [ROW]
    assert data["title"] == r"\u2066t"
    assert data["shown"] == {ROW["child"]: r"\u202ecat</script><script>alert(1)", ROW["text"]: r"\U000e0041dog"}


def test_no_label_ends_the_data_of_the_page():
    assert page_of([ROW], title="t", name="a.csv").count("</script>") == page_of([], title="t", name="a.csv").count(
        "</script>"
    )
