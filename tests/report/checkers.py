"""What reads a layout as other programs do, and finds what is wrong with it: LaTeX, a parser of Markdown, one of HTML."""

import csv
import io
import json
import re
import shutil
import subprocess

import html5lib
import jsonschema
import pytest
from markdown_it import MarkdownIt

from goldassay.core.text import to_one_line
from goldassay.report.shape import report_schema

SHAPE = report_schema()
CELL_END = re.compile(r"(?<!\\)(?:\\\\)*\|")
"""A bar as GitHub sees it: escaped by an odd number of backslashes only, in code as well."""
MADE_ACTIVE = {"link_open", "image", "em_open", "s_open", "html_inline", "heading_open"}
# The rules of booktabs, which is not part of LaTeX itself, look for a bracket in the row below them.
PREAMBLE = r"""\documentclass[SIZE]{article}
LAYOUT
\usepackage[utf8]{inputenc}
\makeatletter
\IfFileExists{booktabs.sty}{\usepackage{booktabs}}{
\def\toprule{\noalign{\ifnum0=`}\fi\@ifnextchar[{\rule@of}{\rule@of[]}}
\def\rule@of[##1]{\hrule height 0.4pt\ifnum0=`{\fi}}
\let\midrule\toprule\let\bottomrule\toprule}
\makeatother
\begin{document}
"""
# The style of the ACL where it is installed, else its page: two columns of 219 points. Its Times is narrower than the font here.
ACL = r"""\IfFileExists{acl.sty}{\usepackage{acl}}{
\usepackage[a4paper,margin=2.5cm,heightrounded=true]{geometry}\setlength\columnsep{0.6cm}\AtBeginDocument{\twocolumn\sloppy}}"""
WRITTEN = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textasciigrave{}": "`",
    r"\textquotesingle{}": "'",
    "-{}": "-",
    **{f"\\{sign}": sign for sign in "&%$#_{}"},
}
TOKENS = re.compile("|".join(map(re.escape, WRITTEN)))


def plain(name):
    """The name as one line of words, as readers show it."""
    return " ".join(to_one_line(name).split())


def typeset(folder, tables, size="10pt", layout=""):
    """Run LaTeX over tables, and give what it writes; it stops at the first thing that it cannot read."""
    if shutil.which("pdflatex") is None:
        pytest.skip("LaTeX is not installed: apt-get install texlive-latex-base")
    source = (
        PREAMBLE.replace("SIZE", size).replace("LAYOUT", layout)
        + "\n\n".join(f"{table}\n" for table in tables)
        + "\\end{document}\n"
    )
    (folder / "tables.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "tables.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    message = done.stdout.decode(errors="replace")
    assert done.returncode == 0, message[message.find("\n!") :][:2000]
    return (folder / "tables.log").read_text("latin-1")


def check_latex(table):
    """Give the first cell of each row as text; every row ends, and has as many cells as columns are declared."""
    found = []
    for one in re.findall(r"\\begin\{tabular\}\{(\w+)\}\n(.*?)\\end\{tabular\}", table, re.DOTALL):
        columns, body = one
        for line in body.splitlines():
            if line in {r"\toprule", r"\midrule", r"\bottomrule"}:
                continue
            code = re.split(r"(?<!\\)(?:\\\\)*%", line)[0]
            assert code == line, f"a comment cuts a row: {line}"
            assert line.endswith(r" \\")
            assert "--" not in line, f"two hyphens become a dash: {line}"
            cells = re.split(r"(?<!\\)&", line.removesuffix(r" \\"))
            assert len(cells) == len(columns), line
            assert not line.startswith(("[", "*"))
            first = cells[0].removeprefix("{}") if cells[0].startswith(("{}[", "{}*")) else cells[0]
            found.append(" ".join(TOKENS.sub(lambda sign: WRITTEN[sign.group()], first).split()))
    return found


def check_markdown(text, *, html=()):
    """Give the first cell of each row as text; nothing in it is a link, HTML or emphasis, and rows have equally many cells."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    lines, found = text.split("\n"), []
    for place, token in enumerate(tokens):
        made = {token.type, *(child.type for child in token.children or ())}
        assert not made & (MADE_ACTIVE - set(html)), (made, token.content)
        assert token.type != "html_block" or re.fullmatch(
            r"</?(details|summary)>.*\n?(.*</summary>)?\s*", token.content
        )
        if token.type == "table_open":
            first, last = token.map
            counts = {len(CELL_END.findall(line)) for line in lines[first:last]}
            assert len(counts) == 1, lines[first:last]
        if token.type == "tr_open":
            cell = tokens[place + 2]
            found.append(" ".join("".join(child.content for child in cell.children).split()))
    return found


def check_html(page):
    """Give the first cell of each row as text; the page is right HTML, and its tables have rows of equally many cells."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    tree = parser.parse(page) if page.startswith("<!DOCTYPE") else parser.parseFragment(page)
    wrong = [(place, code) for place, code, _ in parser.errors]
    assert wrong == [], wrong[:5]
    for script in tree.iter("script"):
        assert "alert(1)" not in (script.text or "") or script.get("type") == "application/json"
    for link in tree.iter("a"):
        assert not (link.get("href") or "").startswith("javascript")
    found = []
    for table in tree.iter("table"):
        rows = [[cell for cell in row if cell.tag in {"td", "th"}] for row in table.iter("tr")]
        assert len({sum(int(cell.get("colspan", 1)) for cell in row) for row in rows}) <= 1
        found += [" ".join("".join(row[0].itertext()).split()) for row in rows if row]
    return found


def check_csv(text):
    """Give the first cell of each row; all rows have equally many."""
    rows = list(csv.reader(io.StringIO(text)))
    assert len(set(map(len, rows))) == 1
    return [row[0] for row in rows]


def check_json(text):
    """Give the names of the predictions of a report that has the promised shape."""
    document = json.loads(text)
    jsonschema.Draft202012Validator(SHAPE).validate(document)
    return [run["pred"]["path"] or "" for run in document["runs"]] + [
        one["name"] for one in document.get("systems", ())
    ]


def check_text(text):
    """Give every line up to its first value; no line has what moves a cursor."""
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", text)
    return [" ".join(re.split(r"   ", line)[0].split()) for line in text.split("\n")]
