"""Tables as web pages have them, and as pandas prints them."""


def html(*names):
    """Write a table as a web page has it, with the numbers of rows, as pandas writes them."""

    def write(rows):
        cells = [
            "\n".join(
                f"      <td><b>{cell}</b></td>" if at else f"      <td>{cell}</td>" for at, cell in enumerate(row)
            )
            for row in rows
        ]
        body = "\n".join(f"    <tr>\n      <th>{number}</th>\n{row}\n    </tr>" for number, row in enumerate(cells))
        head = "\n".join(f"      <th>{name}</th>" for name in ("", *names))
        return (
            f'<table border="1" class="dataframe">\n  <thead>\n    <tr style="text-align: right;">\n{head}\n    </tr>\n'
            f"  </thead>\n  <tbody>\n{body}\n  </tbody>\n</table>"
        )

    return write


def dense(*names):
    """Write a table of HTML on one line, without what may be left out."""
    return lambda rows: (
        "<table>" + "".join(f"<TR>{''.join(f'<td>{cell}' for cell in row)}" for row in (names, *rows)) + "</table>"
    )


def spanned(*names):
    """Write a table in which a cell that is again the first one of its row spans the rows."""

    def write(rows):
        text, before = "", None
        for row in rows:
            count = sum(one[0] == row[0] for one in rows)
            first = f'<th rowspan="{count}" valign="top">{row[0]}</th>' if row[0] != before else ""
            text += f"<tr>{first}{''.join(f'<td>{cell}</td>' for cell in row[1:])}</tr>\n"
            before = row[0]
        return f"<table>\n<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>\n{text}</table>"

    return write


def aligned(*names, index=False):
    """Write a table as pandas prints it: columns end below their names."""

    def write(rows):
        every = [names, *rows]
        sizes = [max(len(row[at]) for row in every) for at in range(len(names))]
        numbers = ["  ", *(f"{number} " for number in range(len(rows)))] if index else [""] * len(every)
        lines = (
            f"{number}{' '.join(cell.rjust(size) for cell, size in zip(row, sizes, strict=True))}"
            for number, row in zip(numbers, every, strict=True)
        )
        return "\n".join(lines)

    return write


def pages(*names):
    return {
        "HTML": html(*names),
        "HTML on one line": dense(*names),
        "HTML with cells over rows": spanned(*names),
        "aligned columns": aligned(*names),
    }
