"""UNL documents to text, in table format."""

from __future__ import annotations

from goldassay.unl.model import Document, Sentence


def document_text(document: Document) -> str:
    r"""Write a document; reading it again gives the same graphs.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> print(document_text(document_of("[S:1] agt ( a ; b ) [/S]")))
        [S:1]
        {unl}
        agt(a, b)
        {/unl}
        [/S]
    """
    return "\n".join(_sentence_text(sentence) for sentence in document.sentences)


def _sentence_text(sentence: Sentence) -> str:
    lines = [f"[S:{sentence.id}]" if sentence.id else "[S]"]
    if sentence.original:
        lines += ["{org}", sentence.original, "{/org}"]
    for language, text in sentence.texts:
        lines += [f"{{{language}}}", text, f"{{/{language}}}"]
    return "\n".join([*lines, "{unl}", *_graph_lines(sentence), "{/unl}", "[/S]"])


def graph_text(sentence: Sentence) -> str:
    """Write one graph without its document: its isolated nodes, and one relation per line.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> graph_text(document_of("[S:1] agt ( a ; b ) [/S]").sentences[0])
        'agt(a, b)'
    """
    return "\n".join(_graph_lines(sentence))


def _graph_lines(sentence: Sentence) -> list[str]:
    isolated = ["[W]", *map(str, sentence.isolated), "[/W]"] if sentence.isolated else []
    return [*isolated, *map(str, sentence.relations)]
