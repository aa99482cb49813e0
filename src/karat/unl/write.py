"""UNL documents to text, in table format."""

from __future__ import annotations

from karat.unl.model import Document, Sentence


def document_text(document: Document) -> str:
    r"""Write a document; reading what is written gives the same graphs.

    Example:
        >>> from karat.unl.read import document_of
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
    lines.append("{unl}")
    if sentence.isolated:
        lines += ["[W]", *map(str, sentence.isolated), "[/W]"]
    return "\n".join([*lines, *map(str, sentence.relations), "{/unl}", "[/S]"])
