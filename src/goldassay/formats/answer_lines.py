"""Statements in the lines of an answer: arrows, tuples, sentences, axioms in Manchester and functional syntax, and outlines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import chain, pairwise
from typing import Literal, NamedTuple, TypeAlias

from goldassay.core.patterns import pattern_of
from goldassay.formats.answer_means import OF_EDGES, Meaning
from goldassay.formats.roles import AXIOMS, CORRESPONDENCES, LABELS, bare


class RawStatement(NamedTuple):
    """One statement as it is written.

    Attributes:
        line: The line of the file, from 1.
        relation: Its relation; the empty text if it is a pair of names.
        directed: Whether the wording says which side is the child; an arrow without a name does not.
        extra: What is behind it, as it is written: a score, or the kind of an axiom.
    """

    line: int
    subject: str
    relation: str
    object: str
    directed: bool = True
    extra: str = ""


class Line(NamedTuple):
    """A line without its bullet, number, heading or box.

    Attributes:
        depth: What orders nested lines; only comparisons matter.
        marked: Whether there was a bullet, a number, a heading or a box.
    """

    number: int
    text: str
    depth: float
    marked: bool


BOX = pattern_of(r"[\s│┃║|]*(?:[├└╰┣┗╠╚|+`\\][─━═\-]{1,4}+)\s*")
BOXES = "│┃║|├└╰┣┗╠╚+`\\"
RULED = "-=_*─━│┃║"
"""What a line across the page, or down a tree, is made of."""
NUMERALS_OF_CHINESE = "一二三四五六七八九十"
WIDE_NUMBER = (
    rf"(?:（?(?:\d{{1,4}}|[{NUMERALS_OF_CHINESE}]{{1,3}})）|(?:\d{{1,4}}|[{NUMERALS_OF_CHINESE}]{{1,3}})[、．]|[①-⑳])"
)
"""A number before an item that needs no blank behind it."""
BULLETS = "-*+↳•◦▪▸‣●○■□◆◇►➢➤–—"
NUMBER = pattern_of(
    r"\(?(?P<levels>(?:\d{1,4}\.)+\d{1,4})[.):]?\s+|\[\d{1,6}\]\s+|\d{1,6}\\[.)]\s+|\(?(?:\d{1,6}|[a-zA-Z]|[ivx]{2,5}|[IVX]{2,5})[.):]\s+"
    rf"|{WIDE_NUMBER}\s*"
)
NUMBERED, ROMAN = (".", ")", ":"), f"ivxIVX{NUMERALS_OF_CHINESE}"
QUOTED = pattern_of(r"^(?:> )+")
"""What is before the lines of a quotation."""
MARK = pattern_of(rf"(?P<heading>#{{1,6}})\s+|(?P<bullet>[{BULLETS}](?=\s)|[・･])\s*(?:\[[ xX]\]\s+)?|{NUMBER.pattern}")
"""What a line may begin with."""
ITEM = pattern_of(r"^(?:([ \t]*)\\item(?![a-z])|[ \t]*\\(?:begin|end)\{[^\n]*)[ \t]*", re.MULTILINE)
"""An item of a list of LaTeX, and where a list begins and ends."""
COUNTED = pattern_of(r"(\*\*|__)?\(?(?:(?:\d{1,4}\.){1,8}\d{1,4}[.):]?|\d{1,4}[.)]|[a-z]\))(?:\1)?\s+(?=\S)")
"""The number of a heading, or in bold."""
TAB = 4
HEADINGS, NUMBERS, LINES = 0.0, 10.0, 30.0
"""Depths of headings, of numbers such as 1.2.1, and of indented lines: the later are inside the earlier."""
COMMENT = pattern_of(r"(?<=[^\s|,;:])\s+(?:#|//)\s+(?=[^\W\d]).*$")
"""What is behind a statement as in a program."""
LEVELS = pattern_of(r"\n[ \t]*+(?:> )*+\(?\d{1,4}(?:\.\d{1,4})++[.):]?[ \t]++\S")
"""A line with a number such as 1.2."""

FIRST_NUMBER = pattern_of(r"^(\d{1,4})\.\d", re.MULTILINE)
PLAIN_NUMBER = pattern_of(r"(\d{1,4})\s+(?=\S)")
"""A number without a point is one of an item if a number such as 1.2 is below it."""
NOTHING: AbstractSet[str] = frozenset()

ARTICLE = pattern_of(r"(?:an?|the|every|each|all|any)\s+", re.IGNORECASE)
STRUCK = pattern_of(r"(?:[-*+•]\s++)?~~[^~]++~~")
"""What is struck out."""
FIELD_OF_ITEM = pattern_of(
    r"[*_]{0,3}(?:definitions?|descriptions?|examples?|synonyms?|meaning|explanation|notes?|beschreibung|beispiele?|définition|exemples?)"
    r"[*_]{0,3}\s?[:：][*_]{0,3}\s?\S",
    re.IGNORECASE,
)
"""A line that says something of the item above it."""
HEADED = ":：*_"
INCLUDING = pattern_of(
    r"(?:\s(?:includes?|compris(?:es?|ing)|umfass(?:t|en)|comprend|comprennent|incluyen?)|包括)(?=[*_]{0,3}\s?[:：][*_]{0,3}$)",
    re.IGNORECASE,
)
GERMAN_ARTICLE = pattern_of(r"(?:eine?|der|die|das|jede[rs]?)\s+", re.IGNORECASE)
KIND = "(?:sub-?)?(?:type|kind|sort|class|form|category|variety|species|genus|instance|example|hyponym|child|subset)(?:s|es|ies)?"
WORDED = pattern_of(
    r"\s(?:\s*+(?=[abfghiprs])(?:(?P<down>(?:is|are)\s+(?:(?:an?|the)\s+)?(?:parent|super-?class|super-?type|hypernym|broader (?:term|concept))\s+of"
    r"|subsumes|has (?:sub-?class|sub-?type|child|hyponym)(?:es)?|(?:super-?class|parent)[-_ ]?of)"
    rf"|(?:is|are)\s+(?:also\s+)?(?:(?:(?:an?|the|one|all)\s+)?{KIND}\s+of(?:\s+an?|\s+the)?|(?:considered|classified as)(?:\s+an?)?|an?)"
    r"|is[-_]?an?|are|(?:rdfs:)?sub-?class[-_ ]?of:?|belongs to|falls under|has parent"
    r"|(?P<german>(?:ist|sind)\s+(?:eine?\s+)?(?:(?:unter)?art(?:en)?|typ(?:en)?|form(?:en)?|unterklassen?|unterbegriffe?)\s+(?:von|der|des|einer?s?)"
    r"|(?:ist|sind)\s+eine?|gehör(?:t|en)\s+zu[mr]?(?:\s+den)?)))\s+",
)
"""How sentences in lower case say which of two names is below the other; ``down`` where the first is the parent."""
GENITIVE = pattern_of(
    r"the\s+(?:direct\s+)?(?:(?P<above>parent|hypernym|super-?(?:class|type|category|concept))|child|hyponym|sub-?(?:class|type|category|concept))"
    r"(?:\s(?:class|category|concept|term|type|node|topic))?\s++of\s++(?:an?\s++|the\s++)?(\S.*?)\s(?:is|are)\s++(?:an?\s++|the\s++)?(\S.*)",
    re.IGNORECASE,
)
"""A sentence that begins with what the second name is to the first."""
BARE = pattern_of(r"\s(?=[ckst])(?:sub-?type|type|kind|child)[-_ ]?of\s+(?:an?\s+(?=\S))?")
APPOSED = pattern_of(r"(?:,|:|(?<=\s)[-–—])(?:\*\*)?\s+(?:an?|one)$")
"""A relation without a verb, which may also be in a name."""
CLAUSE = pattern_of(
    r"[,\s](?:\s?(?:that|which|who|whose|where)|(?<=,)\s(?:and|but|so|while|with|though|often|usually))\s.*"
)
"""What a sentence says besides."""
PRONOUNS = frozenset({"There", "there", "It", "it", "They", "they"})
"""Words before a verb that are no names; IT is one."""
ALSO = pattern_of(r"\sand\s(?:also\s)?an?\s", re.IGNORECASE)
BREAK = pattern_of(
    r"(?<=[\w)\"'*\]])[;,]\s++(?:and\s++)?+(?!(?:which|that|who|whose|it|they|this|these|he|she|there)\b)"
    r"|(?<=[\w)\"'*]\.)\s+(?=[\"'*]{0,2}[^\W\d_a-zäöüß])|(?<!\s)\s++and\s+(?=an?\s)"
)
"""Where one statement ends on a line and another may begin; a pronoun says more of the first."""
LIST = pattern_of(r"(?<=\S)(?:[,;]\s(?:\s*+(?:and\s+)?)|[，；、]\s*+)")
"""What is between the names of a list."""
SYMBOLIC = frozenset({"arrows", "subset symbols"})
"""Shapes of lines in which a comma is not that of a sentence."""
BREAKS = ", ", "; ", ". ", " and a"
LATEX = pattern_of(
    r"\\(?:long)?(?:right|Right)arrow\b|\\to\b|\\(sqsubseteq|subseteq|sqsubset|subset)\b|\\(exists|forall)\b\s*|\\[,;! ()\[\]]|\\(?:text|mathrm|textit|textbf|mathit)\{([^{}]*)\}"
    r"|(?!(?<=[\"“„'])\$\d[^\"”'$]{0,40}+[\"”'])\$"
)
NAMED_ARROW = pattern_of(
    r"[-–—](?:[-–—]{0,2}\s?[\[(]\s*:?([^\[\]()]{1,200}?)\s*[\])]\s?(?:[-–—]{0,3}>|[-–—]{0,2}→)\s*"
    r"|(?<=\s[-–—])[-–—]{0,2}\s*((?:[^-–—<>|→\[\]]|(?<=\w)-(?=\w)){1,200}?)\s*(?:[-–—]{1,3}>|[-–—]{0,2}→)\s)"
)
CALLED = pattern_of(r"\{[^{}]*?\b(?:name|title|label|id)\s*:\s*(?:\"([^\"]*)\"|'([^']*)')")
TYPED = pattern_of(r"(\w[^:{}]*?)\s*:\s?[A-Z][a-z]\w*")
"""The name of a node in brackets, and one before its type."""
LABELLED = pattern_of(
    r"(?:\*\*|__|[`\"'\[])?([^\W\d](?:[\w./-]| (?! )){0,40})(?:\*\*|__|[`\"'\]])?(?::(?=(?:\*\*|__)?\s)|\s(?=\())"
)
"""What is before a pair: a word and a colon, or a word and a bracket."""
RELATION_NAME = pattern_of(
    r"(?:has|is|was|are|can)[A-Z_ ].*|(?:\w[^\s_]{0,40}[ _]){1,4}(?:of|in|by|to|from|with|at|on|for)|[a-z]{1,40}(?:[A-Z_]\w*)"
)
"""A name that is one of a relation: it begins with a verb, ends with a preposition, or is written like one of a program."""
RIGHT, LEFT = "→⟶⇒⟹↦➔➜", "←⟵⇐"
SUBSETS, SUPERSETS = "⊑⊆⊂⊏", "⊒⊇⊃⊐"
PAIR_ARROW = pattern_of(rf"[-=–—{RIGHT}](?:(?<=[-=–—])[-=]{{0,2}}>|(?<=[{RIGHT}]))")
"""Patterns that begin with one of a few characters are looked for only where one of these is."""
ARROW = pattern_of(rf"[-=–—{RIGHT}>›»](?:(?<=[-=–—])[-=]{{0,2}}>|(?<=[{RIGHT}])|(?<=\s[>›»])\s)")
LEFT_ARROW = pattern_of(rf"[<{LEFT}](?:(?<=<)-{{1,3}}|(?<=[{LEFT}]))")
BELOW, ABOVE = pattern_of(rf"[{SUBSETS}<](?:(?<!<)|(?<=\s<)\s)"), pattern_of(rf"[{SUPERSETS}]")
EQUAL = pattern_of(
    r"\s(?:\s*+(?=[=≡≅≈~<osicm])(?:==?|≡|≅|≈|~|<->|<=>|owl:sameAs|owl:equivalentClass|skos:(?:exact|close)Match"
    r"|is (?:equivalent|equal|identical|mapped) to|is the same as|corresponds to|matches|maps to)\s+)|[↔⇔⟷⟺≡]"
)
RELATION = pattern_of(
    r"[=<>≡⊑⊒%]|equivalent(?:\s?to|class)?|(?:skos:)?(?:exact|close|broad|narrow)match|broader|narrower|subclassof|subsumed?",
    re.IGNORECASE,
)
"""A relation of correspondences that may be behind both names."""
LAST_RELATION = pattern_of(r"\s*[\[(]\s*([=<>≡⊑⊒%])\s*[\])]$")
CONJUNCTION = pattern_of(r" ?[⊓∧] ?")
QUANTIFIED = pattern_of(r"[∃∀]\s*([\w:.-]+?)\s*\.\s*(\S.*)")
OF_NAMES = pattern_of(r"(\S{1,200})\s+([a-z]+[A-Z]\w{0,100}|\w{1,100}[_:]\w{1,100})\s+(\S{1,200})")
"""A name, a relation written like one of a program, and a name."""
COLON = pattern_of(r":(?:\*\*)?\s|：(?:\*\*)?\s*+(?=\S)")
COLONS = (":", "：")
ITEM_ID = pattern_of(r"(?=[^\s:：]{0,60}\d)[^\s:：]{1,60}(?=[:：])")
"""The id of an item before a colon: one word with a digit; behind it a label may have an arrow, as 'Sport -> Football' has."""
COMMAS = str.maketrans("，；｜", ",;|")
"""Marks of Chinese and Japanese, as those that are between cells."""
OF_SCORES = "confidence|score|probability|prob|certainty|conf"
SHARED = r"[01]?\.\d{1,20}|[01]\.0{1,20}|\d{1,3}(?:\.\d{1,20})?\s?%"
"""A share of one, or in percent."""
SCORE = pattern_of(
    rf"\s*[\[(,;]?\s*(?:(?:{OF_SCORES})\s*[:=]?\s*|(?<=[\[(])\s*)"
    r"([01]?\.\d+|[01]|\d{1,3}(?:\.\d+)?\s?%)\s*[\])]?\s*$",
    re.IGNORECASE,
)
NUMERALS, ENDS_OF_WORDS = "])% \t.0123456789", "([:=eybfEYBF"
"""What a score is written with, and how what is before it ends: a bracket, a mark, or a word of the pattern."""
BARE_SCORE = pattern_of(r"(?:(?<=[,:])\s?|(?<=\s))([01]?\.\d{1,20})$")
"""A score without a bracket or a word for it."""
ARROW_SCORE = pattern_of(rf"[,;|:]\s?({SHARED})$")
"""A share behind an arrow, and behind a mark."""
LABEL_ENDS = 24
LABEL = pattern_of(
    r"(?:\*\*)?(?:(?:edge|triple|triplet|relation|relationship|fact|statement|axiom|pair|tuple|link)(?:\s?#?\d{1,4})?|[TREFS]\d{1,4})\s?:(?:\*\*)?\s+"
    r"(?=[(<\[]|[^\s|>→]{1,80}(?:\s[^\s|>→]{1,80}){0,9}?\s(?:\||-{1,2}|–|—|[-=–—\[\w :]{0,60}(?:>|→))\s?|[^\s|>→]{1,80}(?:\s[^\s|>→]{1,80}){0,9}?\s(?:is|are)\s(?:an?|the)\s"
    r"|[^;\n]{1,80};\s[^;\n]{1,80};\s|[a-z]\w{0,40}\()",
    re.IGNORECASE,
)
"""The word before a statement that says that it is one."""
SCORES = ("score", "weight")
"""Roles of numbers that are behind a statement."""
SCORING = ("conf", "score", "prob", "certain")
"""What is in every word for a score."""
BEGINS = "an?|the|both|it|its|they|this|that|used|stated|mentioned|implied|inferred|explicit(?:ly)?|see|sentence|e\\.g\\.|i\\.e\\.|for example"
OF_REASONS = (
    r"(?:explicit(?:ly)?|implicit(?:ly)?|inferred|implied|stated|assumed)(?=[\])]|\s)"
    r"|(?:confidence|evidence|certainty|source|reason|rationale|note|quote|see)\s?[:=]"
)
"""How what is in brackets behind a statement begins."""
_BEHIND = (
    r"\s*+[,(;:-]?\s*+\b(?:because|since it|as it|which means)\b.*"
    rf"|\s++\((?:{BEGINS})(?:['\u2019]\w+)?\s[^()]*\)\W*"
    rf"|\s++[\[(](?:(?:very )?(?:high|medium|moderate|low) confidence|{OF_REASONS})[^()\[\]]*[\])]\W*|[;.]\s++(?:see|cf\.|stated|inferred|implied)\b.*"
    rf"|(?:\s++-|:(?=\s++(?-i:[a-z])))\s++(?:{BEGINS})(?:['\u2019]\w+)?\s.*"
)
REASON = pattern_of(rf"(?<!\s)(?:\s++[—–]\s.*|{_BEHIND})$", re.IGNORECASE)
"""An explanation behind a statement."""
TAIL = pattern_of(rf"(?<!\s)(?:{_BEHIND})$", re.IGNORECASE)
"""The same without a dash, which may be between names."""
EXPLAINING = (" (", " [", " - ", ": ", "; ", ". ", "because", "Because", "since it", "as it", "which means")
"""What a text has that is explained."""
STATING = pattern_of(rf"[|>{RIGHT}{SUBSETS}{SUPERSETS}]|\bis an?\b")
"""What a statement has, and a name as code or in bold has not."""
WHOLE_STATEMENT = pattern_of(r"(`|\*\*|__)((?:(?!\1).){5,300})\1(?:[.,;]?|[:.,;]?\s++[-–—(].*|:\s.*)")
"""A statement as code or in bold, and what may be behind it."""
EXPLAINED = pattern_of(r"\s*(\*\*[^*]{1,200}\*\*|`[^`]{1,200}`|\"[^\"]{1,200}\")(?:\s?[:：]|:\*\*)\s.*")
"""A last name that is marked, and an explanation behind a colon."""
FIELD = pattern_of(r"(?:\*\*|__|[`\"'])?([A-Za-z][\w ]{0,30}?)(?:\*\*|__|[`\"'])?\s*:(?:\*\*|__)?\s*(\S.*)")
FIELDS = pattern_of(r"[,;|]\s*(?=[\"'*`]{0,2}[A-Za-z][\w ]{0,30}[\"'*`]{0,2}\s*:)")
CLOSING = {"(": ")", "<": ">", "[": "]", "{": "}", "⟨": "⟩", "（": "）"}
BEHIND = pattern_of(r"[,;.]?\s*(?:(?:[-–—:#(\[]|//|because\b|since\b|as\b|see\b).*)?", re.IGNORECASE)
"""What may be behind a tuple: an explanation."""
DASHES = pattern_of(r"\s(?:\s*+[-–—]{1,2}\s+)")
OBJECT = pattern_of(r"""\{\s*["'][^"']*["']\s*:""")
PART = pattern_of(
    r"""\s*(?:"([^"\\]*+(?:\\.[^"\\]*+)*+)"(?=\s*(?:[,;|]|$))|"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|'([^']*)'(?=\s*(?:[,;|]|$))|([^,;|]*))\s*(?:[,;|]|$)"""
)
BARE_PART = 6
"""The group of a part without quotes."""
SHARE = pattern_of(r"0?\.\d{1,20}|[01](?:\.0{1,20})?|\d{1,3}(?:\.\d{1,20})?\s?%")
YEAR = pattern_of(r"\d{4}")
FUNCTIONAL = pattern_of(
    r"SubClassOf\s*\(\s*(\S+)\s+(?:Object(?:SomeValues|AllValues)From\s*\(\s*(\S+)\s+(\S+?)\s*\)|(\S+?))\s*\)",
    re.IGNORECASE,
)
EQUIVALENT = pattern_of(
    r"(?:Equivalent(?:Classes|ObjectProperties|DataProperties)|SameIndividual)\s*\(\s*(\S+)\s+(\S+?)\s*\)",
    re.IGNORECASE,
)
"""An equivalence of two names in functional syntax."""
TERM = r"""((?>'(?:[^'\\\n]|\\.|''){1,200}')|"[^"\n]{1,200}+"|[^(),]{1,200})"""
FACT = pattern_of(rf"([a-z]\w{{0,60}})\(\s*+{TERM},\s*+{TERM}\)\s*\.?")
"""A fact of Prolog."""
QUOTE_INSIDE = pattern_of(r"(?<=.)(?:''|\\')(?=.)")
FRAMES = ("Class", "ObjectProperty", "DataProperty", "Individual")
SLOTS = (
    "SubClassOf|EquivalentTo|DisjointWith|Annotations|Domain|Range|Types|Facts|Characteristics|InverseOf|SubPropertyOf"
)
MANCHESTER = pattern_of(rf"({'|'.join(FRAMES)}|{SLOTS})\s*:\s*(.*)")
SLOT_BREAK = pattern_of(rf"(?<=\S)\s(?=(?:{SLOTS})\s*:\s)")
"""Where a slot begins on the line of its frame."""
QUANTIFIERS = " some ", " only ", " value ", " exactly ", " min ", " max "
SUBCLASS_OF = "subClassOf"
STATED = ("SubClassOf", "Types", "Facts")
"""Slots each term of which states something."""
_NAME = r"([\w:.<>/#-]+|'[^'\n]+'|\"[^\"\n]+\")"
RESTRICTION = pattern_of(rf"\(?\s*+{_NAME}\s++(?:some|only|value|exactly \d+|min \d+|max \d+)\s++{_NAME}\s*+\)?")
NAME_OF_CLASS, FACT_OF_FRAME = pattern_of(_NAME), pattern_of(rf"{_NAME}\s++(\S.*)")
TERMS = pattern_of(r"(?:'[^'\n]*+'|\"[^\"\n]*+\"|[^,])++")
"""What is between commas outside of quotes."""
OF_QUOTES = "\"'“”‘’„‚＂"
MARKS, QUOTES = f"*_`{OF_QUOTES}", "\"'“”‘’`"
ENDS, ENDS_OF_CELLS = ".,;。，；、", ",;，；、"
ENDS_OF_MARKED = ("*.", "_.", "`.")
"""What may end a name in a sentence, and one in a cell, whose point is its own."""
SHORT = frozenset(["inc", "ltd", "co", "corp", "bros", "jr", "sr", "st", "ave", "sp", "spp"])
"""Words that are written with a point."""
MARKS_BETWEEN = f",;|:=-–—>›»{RIGHT}<{LEFT}{SUBSETS}{SUPERSETS}≡≈()[]{{}}"
_OTHER = rf"[^\"“”„\n{re.escape(MARKS_BETWEEN)}]*+"
IN_QUOTES = pattern_of(
    rf"[\"“„](?<![^\s(\[{{,;|:>→*_].)(?=\w){_OTHER}(?:[:=–—-](?!\s){_OTHER})*+[^\"“”„\n][^\"“”„\n]*+[\"“”]"
)
"""A name in quotes with a mark that else would be between two names."""
HIDDEN = str.maketrans(MARKS_BETWEEN, "".join(chr(0x10F000 + at) for at in range(len(MARKS_BETWEEN))))
SHOWN = {hidden: shown for shown, hidden in HIDDEN.items()}
WITHOUT_QUOTES = dict.fromkeys(map(ord, OF_QUOTES))
ESCAPED = pattern_of(r"""\\(["'\\])""")
EMOJI = "".join(
    map(chr, (*range(0x1F000, 0x1FB00), *range(0x2600, 0x2794), *range(0x2B00, 0x2C00), 0xFE0F, 0x200D, 0x2022))
)
"""Emoji and bullets, which decorate names."""
DECORATION = MARKS.replace("'", "").replace('"', "") + "".join(sorted({*EMOJI} - set("❌✗✘✖"))) + " "
"""What is around a tuple without a meaning of its own; a cross says that it does not hold."""
DECORATING = frozenset(mark for mark in DECORATION if not mark.isalnum())
BRACKETED = pattern_of(
    r"\[[^\[\]{}]+\]|\{[^\[\]{}]+\}|«[^«»]+»|»[^«»]+«|‹[^‹›]+›|「[^「」]+」|『[^『』]+』|《[^《》]+》|【[^【】]+】"
)
SPACED = pattern_of(r"«\s++(?=\w)([^«»\n]{1,200}?)\s++»")
"""A name in quotes of French."""
INNER = pattern_of(r"[\"“”„]")
OPENING, ENDING, AROUND_QUOTES = tuple('"“„'), tuple('"“”'), "*_` "
MARKED_UP = pattern_of(r"\*\*([^*]{1,300})\*\*|__([^_]{1,300})__|`([^`]{1,300})`")
"""A name in bold or as code."""
ENDLESS = pattern_of(
    r"\.{3}|…|[\[(]?(?:\.{3}|…)?\s?(?:etc\.?|and so (?:on|forth)|(?:and )?\d{1,9} (?:more|others?)(?: \w{1,30})?)\s?(?:\.{3}|…|\.)?[\])]?",
    re.IGNORECASE,
)
BEGIN_ENDLESS = "[(.…eEaA0123456789"
"""What says that an outline goes on, and is no name, and how it begins."""
DESCRIBED = pattern_of(r"[-:–—](?:(?<=:)|(?<=\s.))\s|：\s*+(?=\S)")
BOLD = pattern_of(r"(?:\*\*|__)([^*_]{1,300})(?:\*\*|__)")
PROSE = pattern_of(
    r"(?:here(?:'s| is| are)?|sure|certainly|of course|okay|ok|below|the following|based on|note|let me|i |i'|this |these |in this|as requested|"
    r"hope|please|feel free|thank|in summary|overall|"
    r"(?:(?:the|my|your|final|full|complete|proposed|extracted|resulting)\s)*(?:output|answer|taxonomy|ontology|results?|relations?|hierarchy|outline)|"
    r"hier (?:ist|sind)|gerne?|natürlich|ich |im folgenden|die folgende|ergebnis|ausgabe|antwort|taxonomie"
    r"|voici|ci-dessous|bien sûr|aquí (?:tienes|está|se)|a continuación|claro|ecco|aqui está|segue|вот|إليك|فيما يلي|hieronder)\b|.{0,20}如下|以下|下面|下記"
)
"""How a text in lower case begins that is around an answer."""
CHILDREN = pattern_of(
    r"(?:children|sub[-_ ]?(?:classes|types|categories|concepts|terms)|narrower|hyponyms)\s*:\s*(?:\[\])?",
    re.IGNORECASE,
)
NAMED = pattern_of(r"""(?:name|label|title|concept|term|class)\s*:\s*["']?(\S.*?)["']?""", re.IGNORECASE)
"""In YAML, what is below a name, and the name."""
LOOKED_AT = 1000
"""Names of fields and frames come before many lines without them."""
FEW_WORDS = 5
"""A line that ends with a colon, or begins like a preamble, is the name of a parent only if it is this short."""
SUMMARY = pattern_of(r"</?(?:details|summary)>")
"""What Markdown folds an outline below its root with."""
WIDE = " " * 8
WIDE_GAP = pattern_of(r"(?<=\S)\s{9,}+")
"""Blanks within a line beyond a few say nothing, and patterns that look for blanks on both sides of a mark would take the cube of their number."""
LEAST_OF_SENTENCE = 3
MOST_REMARKS = 6
"""So many lines above and below the others are looked at."""
LONGEST_NAME = 8
"""What is behind a colon is a description if it has more words."""
CHAIN, LONGEST = 3, 200


def lines_of_answer(text: str, first: int = 1) -> list[Line]:
    """List the lines that are not blank, with the depth at which they are nested."""
    # Among numbers such as 1.2 a single one is the first level, and no item of a list.
    levels = LEVELS.search(f"\n{text}")
    single = NUMBERS + 1 if levels else LINES + 0.5
    firsts = frozenset(FIRST_NUMBER.findall(text)) if levels else NOTHING
    text = SUMMARY.sub("", text) if "<summary>" in text else text
    text = ITEM.sub(lambda found: "" if found[1] is None else f"{found[1]}- ", text) if "\\item" in text else text
    written = (SPACED.sub(r"«\1»", text) if "«" in text else text).split("\n")
    lines = map(str.rstrip, written) if _is_clean(text) else map(_cleaned, written)
    numbered = enumerate(lines, start=first)
    return [found for number, line in numbered if (found := _line(number, line, single, firsts))]


def _line(number: int, line: str, single: float, firsts: AbstractSet[str]) -> Line | None:
    body = line.lstrip()
    if not body:
        return None
    indent = float(len(line) - len(body))
    if body[0].isalpha() and body[1:2] not in NUMBERED and not (body[0] in ROMAN and NUMBER.match(body)):
        return Line(number, body, LINES + indent, False)
    if body[-1] in RULED and not body.strip(RULED):
        return None
    if body[-1] == "~" and STRUCK.fullmatch(body):
        return None
    if body[0] in BOXES and (box := BOX.match(line)):
        return Line(number, line[box.end() :].strip(), LINES + box.end() + 1, True)
    depth, begin = _marker(body, indent, single, firsts)
    name = body[begin:]
    counted = depth < NUMBERS or name[:2] in ("**", "__")
    return Line(number, _without_number(name) if counted else name, depth, begin > 0)


def _marker(body: str, indent: float, single: float, firsts: AbstractSet[str]) -> tuple[float, int]:
    """Return the depth of a line, and where its heading mark, its bullet or its number ends."""
    found = MARK.match(body)
    kind = found.lastgroup if found else None
    # A number that is the whole line marks nothing.
    if found and (kind in ("heading", "bullet") or found.end() < len(body)):
        if kind == "heading":
            return HEADINGS + len(found["heading"]), found.end()
        if kind == "levels":
            return NUMBERS + 1 + found["levels"].count("."), found.end()
        return LINES + indent + 0.5 if indent or kind else single, found.end()
    if firsts and (plain := PLAIN_NUMBER.match(body)) and plain[1] in firsts:
        return NUMBERS + 1, plain.end()
    return LINES + indent, 0


def _is_clean(text: str) -> bool:
    """Return whether no line of a text has anything that is to be cleaned."""
    marked = WIDE in text or "> " in text or " #" in text or " //" in text
    return not marked and text.replace("\n", " ").isprintable()


def _cleaned(raw: str) -> str:
    """Return a line without marks of a quotation, without wide gaps, and without a comment behind it."""
    line = raw.expandtabs(TAB).rstrip()
    if line.startswith("> "):
        line = QUOTED.sub("", line)
    # Of all white space only a blank can be printed.
    if WIDE in line or not line.isprintable():
        # The blanks within a box say how deep the line is.
        begin = box.end() if (box := BOX.match(line)) else 0
        line = line[:begin] + WIDE_GAP.sub(WIDE, line[begin:])
    if (" #" in line or " //" in line) and not line.lstrip().startswith("#"):
        line = COMMENT.sub("", line)
    return line


def _without_number(text: str) -> str:
    """Strip the number at the beginning of a heading, or of what is in bold."""
    found = COUNTED.match(text)
    if not found:
        return text
    # In '**1.** fish' the name is not in bold.
    bold = found[1] or ""
    return ("" if bold and found[0].rstrip().endswith(bold) else bold) + text[found.end() :]


def name_of(text: str) -> str:
    """Strip decoration from a name: emphasis, quotes, emoji, and what ends a sentence; what is in quotes is as it is."""
    name = text.strip()
    return name if name.isascii() and name[:1].isalnum() and name[-1:].isalnum() else _bare_name(name, ENDS)


def cell_of(text: str) -> str:
    """Strip decoration from a name in a cell, whose point is its own, unless it is behind marks."""
    name = text.strip()
    if name.isascii() and name[:1].isalnum() and name[-1:].isalnum():
        return name
    return _bare_name(name[:-1] if name.endswith(ENDS_OF_MARKED) else name, ENDS_OF_CELLS)


def _bare_name(name: str, ends: str) -> str:
    """Strip decoration from a name, and what may end one."""
    plain = name.isascii()
    marks = MARKS if plain else MARKS + EMOJI + " "
    body = name.rstrip(ends).strip()
    if ('"' in body or not plain) and (quoted := _quoted(body)):
        return quoted
    found = body.strip(marks).strip()
    if body[-1:] not in QUOTES:
        found = found.rstrip(ends).strip()
    if '"' in found or (not plain and "“" in found):
        found = _with_quotes(body.strip(marks.translate(WITHOUT_QUOTES)))
    if found[-1:].isalpha() and "." in ends and f"{found}." in name and _is_abbreviated(found):
        found = f"{found}."
    if plain and found[:1].isalnum() and found[-1:].isalnum():
        return found
    if BRACKETED.fullmatch(found):
        found = found[1:-1].strip().strip(marks).strip()
    return found.removeprefix(":").lstrip()


def _quoted(text: str) -> str:
    """Return the name that is all of a text in quotes, as it is except for bold and code; none if there are others in it, or none around it."""
    whole = text.strip(AROUND_QUOTES)
    inner = whole[1:-1].strip()
    if whole[:1] not in OPENING or whole[-1:] not in ENDING or not inner or INNER.search(inner):
        return ""
    marked = MARKED_UP.fullmatch(inner)
    return marked[1] or marked[2] or marked[3] if marked else inner


def _is_abbreviated(name: str) -> bool:
    """Return whether the point behind a name is its own, as that of D.C. and Inc."""
    return name[-2:-1] == "." or name.rpartition(" ")[2].lower() in SHORT


def _with_quotes(whole: str) -> str:
    """Strip the quotes around a name in which there are others; those of 'say "hi"' are its own."""
    inner = whole[1:-1]
    quote = INNER.search(inner)
    if not quote or whole[:1] not in '"“„' or whole[-1:] not in '"“”':
        return whole
    opens = quote[0] != "”" and (inner[: quote.start()][-1:] in " ([" or inner.count(quote[0]) % 2 == 1)
    return inner.strip() if opens else whole


def unescaped(text: str) -> str:
    """Write quotes in quotes as they are."""
    return ESCAPED.sub(r"\1", text) if "\\" in text else text


def hide_in_quotes(lines: Sequence[Line]) -> list[Line]:
    """Write marks in quotes as characters that are between no names, except in tuples; ``show`` writes them as they were."""
    return [
        line
        if line.text[:1] in CLOSING
        else line._replace(text=IN_QUOTES.sub(lambda found: found[0].translate(HIDDEN), line.text))
        for line in lines
    ]


def show(rows: Sequence[RawStatement]) -> list[RawStatement]:
    """Write hidden marks as they were."""
    return [
        one._replace(
            subject=one.subject.translate(SHOWN),
            relation=one.relation.translate(SHOWN),
            object=one.object.translate(SHOWN),
        )
        for one in rows
    ]


def end_of(text: str) -> str:
    """Strip decoration from the last name of a statement, and an explanation behind it."""
    lower, plain = text.lower(), text.isascii()
    colon = ": " in text or (not plain and "：" in text)
    if colon and (explained := EXPLAINED.fullmatch(text)):
        return name_of(explained[1])
    behind = colon or not plain or "(" in text or "[" in text or " - " in text or "; " in text
    if behind or "because" in lower or " it" in lower or "which" in lower:
        text = REASON.sub("", text, count=1)
    return name_of(text)


def is_prose(text: str) -> bool:
    """Return whether a line begins like one around an answer."""
    return PROSE.match(text[:60].lower()) is not None


class Statements(NamedTuple):
    """What was read line by line: the statements, the numbers of their lines, and the shapes of these."""

    rows: list[RawStatement]
    taken: list[int]
    shapes: dict[str, None]


def read_lines(lines: Sequence[Line], meaning: Meaning = OF_EDGES) -> Statements:
    """Read each line that is neither prose nor a node of an outline as statements, in the first shape that it has."""
    whole = "\0".join([line.text for line in lines])
    latex = "\\" in whole or "$" in whole
    scored, worded = meaning.more == "score", _has_word(whole)
    bare_ones = scored and 2 * sum(BARE_SCORE.search(line.text) is not None for line in lines) > len(lines)
    if latex:
        whole = LATEX.sub(_replace_latex, whole)
    rules = [(shape, rule) for shape, rule, may in RULES[meaning.nested] if may(whole)]
    marks = list(filter(whole.__contains__, EXPLAINING))
    decorated = bool(marks) or not whole.isascii() or any(map(whole.__contains__, "`*_"))
    uneven = _is_uneven(whole)
    found = Statements([], [], {})
    labelled = ":" in whole or "：" in whole
    for number, written, _, _ in lines if rules else ():
        text, extra = LATEX.sub(_replace_latex, written).strip() if latex else written, ""
        if not text or (labelled and text.endswith(COLONS)):
            continue
        if labelled and ":" in text[:LABEL_ENDS] and (label := LABEL.match(text)):
            text = text[label.end() :]
        if text[0] in DECORATING:
            text = _undecorated(text)
        ends_like_one = (text[-1].isdigit() or text[-1] in "%])") and (
            text[0] not in "([" or ")-" in text or ")<" in text
        )
        score = _score_of(text, bare_ones=bare_ones, scored=scored, worded=worded) if ends_like_one else None
        if score and score.start():
            text, extra = text[: score.start()].rstrip(" ,:|;"), number_of(score[1]) if meaning.more in SCORES else ""
        texts = _statements_in(text, marks, meaning) if decorated else (text,)
        shape, rows = _read_line(rules, number, texts, meaning)
        # A name with one of two brackets is a piece of something else.
        if rows and not (uneven and _is_uneven(text) and _are_cut(rows)):
            found.rows.extend([one._replace(extra=one.extra or extra) for one in rows] if extra else rows)
            found.taken.append(number)
            found.shapes[shape] = None
    return found


def _read_line(
    rules: Sequence[tuple[str, Reader]], number: int, texts: Sequence[str], meaning: Meaning
) -> tuple[str, list[RawStatement]]:
    """Read a line by the first rule that finds something in it."""
    for text in texts:
        for shape, rule in rules:
            if rows := _apply(rule, number, text, meaning):
                return shape, rows
    return "", []


def _is_uneven(text: str) -> bool:
    return text.count("(") != text.count(")") or text.count("[") != text.count("]")


def _are_cut(rows: Sequence[RawStatement]) -> bool:
    return not all(_is_whole(one.subject) and _is_whole(one.object) for one in rows)


def _statements_in(text: str, marks: Sequence[str], meaning: Meaning) -> Sequence[str]:
    """Return what a line states without marks around it and what is behind it, and, if that is nothing, the whole line."""
    short = text if text[-1].isascii() else text.rstrip(DECORATION)
    if short[:1] in "`*_" and not (meaning.nested == "list" and meaning.documents):
        whole = WHOLE_STATEMENT.fullmatch(short)
        short = whole[2] if whole and STATING.search(whole[2]) else short
    # A dash in a name is hardly before a word in lower case.
    before, dash, behind = short.rpartition(" — ")
    short = before if dash and before.strip() and behind[:1].islower() else short
    if any(map(short.__contains__, marks)):
        found = TAIL.search(short)
        short = short[: found.start()] if found and found.start() else short
    return (text,) if short is text or not short else (short, text)


def without_remarks(stated: Statements, lines: Sequence[Line]) -> tuple[Statements, list[Line]]:
    """Leave out pairs with a colon above and below all others: next to arrows, equations or tuples they are no pairs, nor are sentences next to names.

    Returns:
        The other statements, and the lines that were left out.
    """
    subjects = {one.line: one.subject for one in stated.rows}
    read = [line for line in lines if line.number in subjects]
    ends = read[:MOST_REMARKS] + read[MOST_REMARKS:][-MOST_REMARKS:]
    kind = _is_remark if _around([_is_remark(line, subjects[line.number]) for line in ends]) else _is_sentence
    odd = _around([kind(line, subjects[line.number]) for line in ends])
    # Those among the others are pairs, and then so are those around.
    odd = _around([kind(line, subjects[line.number]) for line in read]) if odd else []
    if not odd or 3 * len(odd) > len(stated.taken):
        return stated, []
    left = [read[at] for at in odd]
    numbers = {line.number for line in left}
    rows = [one for one in stated.rows if one.line not in numbers]
    return Statements(rows, [one for one in stated.taken if one not in numbers], stated.shapes), left


def _around(kinds: Sequence[bool]) -> list[int]:
    """Return the places of the first and the last lines that are of a kind; none if all are, or some between others."""
    kept = [at for at, odd in enumerate(kinds) if not odd]
    if not kept or any(kinds[kept[0] : kept[-1]]):
        return []
    return [*range(kept[0]), *range(kept[-1] + 1, len(kinds))]


def _is_remark(line: Line, subject: str) -> bool:
    """Return whether a pair has a colon between its names."""
    found = COLON.search(line.text, 1, LONGEST)
    return found is not None and name_of(line.text[: found.start()]) == subject


def _is_sentence(line: Line, subject: str) -> bool:
    """Return whether what is behind the colon of a pair is a sentence."""
    if not line.text.rstrip("*_ ").endswith((".", "!", "?", "。")) or not _is_remark(line, subject):
        return False
    behind = COLON.split(line.text, maxsplit=1)[-1]
    return len(behind.split()) > LEAST_OF_SENTENCE or (not behind.isascii() and len(behind) > FEW_WORDS)


def _apply(
    rule: Callable[[int, str, Meaning], list[RawStatement]], number: int, text: str, meaning: Meaning
) -> list[RawStatement]:
    """Read a line by a rule: as several statements, if each part of it is one."""
    rows = rule(number, text, meaning)
    if meaning.roles is AXIOMS and rows and any(map(text.__contains__, QUANTIFIERS)):
        rows = list(map(_restrict, rows))
    if not rows or rule in WHOLE or not any(map(text.__contains__, BREAKS)):
        return rows
    parts = BREAK.split(text)
    several = [rule(number, part, meaning) for part in parts] if len(parts) > 1 else [[]]
    return list(chain.from_iterable(several)) if all(several) else rows


def _restrict(one: RawStatement) -> RawStatement:
    """Read a superclass that is a restriction, such as ``hasBrand some Brand``, as a property."""
    found = RESTRICTION.fullmatch(one.object)
    return one._replace(relation=found[1], object=found[2]) if found and one.relation == SUBCLASS_OF else one


def _score_of(text: str, *, bare_ones: bool, scored: bool, worded: bool) -> re.Match[str] | None:
    """Find a score at the end of a line: a number in brackets, behind a word for it, or bare where most lines have one or the name before it is an id.

    Where a family has no scores, only what is clearly one is found: a share, or a number behind a word.
    """
    if "(" in text or "[" in text or (worded and _has_word(text)):
        before = text.rstrip(NUMERALS).rstrip()[-1:]
        if (before in ENDS_OF_WORDS or not before.isascii()) and (found := SCORE.search(text)):
            return found if scored or _has_word(found[0]) or not found[1].isdecimal() else None
    if not scored:
        share = ARROW_SCORE.search(text) if any(map(text.__contains__, ",;|:")) else None
        return share if share and ARROW.search(text) else None
    found = BARE_SCORE.search(text)
    if not found or not (EQUAL.search(text) or PAIR_ARROW.search(text) or COLON.search(text)):
        return None
    name = text[: found.start()].split()[-1:]
    is_id = any(one.endswith((",", ":")) or not one.isalpha() for one in name)
    return found if bare_ones or is_id else None


def _has_word(text: str) -> bool:
    """Return whether a text has a word for a score."""
    lower = text.lower()
    return any(word in lower for word in SCORING)


def _replace_latex(found: re.Match[str]) -> str:
    """Write a symbol of LaTeX as its character, and a text as it is."""
    if found[1] or found[2]:
        return " ⊑ " if found[1] else "∃"
    return found[3] or (" → " if found[0][1:2].isalpha() else "")


def _undecorated(text: str) -> str:
    """Strip emphasis and emoji around a tuple; what is crossed out stays so."""
    inner = text.lstrip(DECORATION)
    if inner[:1] not in ("(", "[", "<") or (end := _close(inner)) < 0:
        return text
    return inner[: end + 1] + inner[end + 1 :].lstrip(MARKS)


def number_of(text: str) -> str:
    """Write a share as a number: a percentage is divided by 100."""
    return str(float(text.rstrip("% ")) / 100) if text.endswith("%") else text


def _parse_tuple(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read a row of cells in brackets, or several on one line, with an explanation behind it."""
    found: list[RawStatement] = []
    while text and text[0] in CLOSING and text[1:2] not in CLOSING and not (text[0] == "{" and OBJECT.match(text)):
        end = _close(text)
        inner, rest = text[1:end].strip(), text[end + 1 :]
        rows = parse_cells(number, _cells(inner, meaning), meaning) if inner and end > 0 else []
        if not rows:
            return []
        found += rows
        if not rest:
            return found
        text = rest.lstrip(",; ")
        several = rest[:1] in (",", ";") and text[:1] in CLOSING
        if not several and BEHIND.fullmatch(rest):
            return found
    return []


def _cells(inner: str, meaning: Meaning) -> list[str]:
    """Split a tuple, but not within the number or the date that is the object of a fact, such as 709,037 or July 4, 1776."""
    parts = _parts(inner)
    last = len(parts) - 1
    if meaning.nested != "facts" or last < CHAIN:
        return parts
    behind = parts[last].strip()
    if SHARE.fullmatch(behind) and behind.endswith("%"):
        return [*_cells(inner[: inner.rfind(parts[last])].rstrip(" ,;|"), meaning), number_of(behind)]
    # A share is a score, and so is a number that continues nothing.
    scored = SHARE.fullmatch(behind) or not (parts[last - 1][-1:].isdigit() or YEAR.fullmatch(behind))
    more = parts[CHAIN : last + (not scored)]
    if not more or not all(part.strip()[:1].isdigit() for part in more):
        return parts
    place = 0
    for _ in range(CHAIN - 1):
        place = found.end() if (found := PART.match(inner, place)) else place
    whole = inner[place:]
    return [
        *parts[: CHAIN - 1],
        whole[: whole.rfind(parts[last])].rstrip(" ,;|") if scored else whole,
        *parts[last:][: bool(scored)],
    ]


def _close(text: str) -> int:
    """Return where the bracket is closed that a text begins with; -1 if nowhere."""
    opens, closes = text[0], CLOSING[text[0]]
    end = text.find(closes)
    while end >= 0 and text.count(opens, 0, end) > text.count(closes, 0, end) + 1:
        end = text.find(closes, end + 1)
    return end


def _parse_bars(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    text = text.replace("｜", "|")
    if (
        meaning.nested == "list"
        and meaning.documents
        and (item := ITEM_ID.match(text))
        and COLON.match(text, item.end())
    ):
        # Behind the id of an item is a list.
        return []
    separator = "; " if "|" not in text and "\t" not in text else next(filter(text.__contains__, (" | ", "\t", "|")))
    parts = text.strip("|").split(separator) if separator in text else []
    if separator == "; " and any(part.count("(") != part.count(")") for part in parts):
        # A tuple inside of a sentence.
        begin = text.find("(")
        return _parse_tuple(number, text[begin:], meaning) if text[:begin].count(" ") > 1 else []
    return parse_cells(number, parts, meaning) if separator not in ("; ", "|") or len(parts) == CHAIN else []


def parse_cells(
    number: int, parts: Sequence[str], meaning: Meaning, clean: Callable[[str], str] = cell_of
) -> list[RawStatement]:
    """Read a row of cells: two names, or two with a relation between them, with a number behind them where the family has one."""
    names = list(map(clean, parts))
    extra = ""
    if len(names) > CHAIN or (len(names) == CHAIN and meaning.arrow == "pair"):
        extra = parts[-1].strip()
        if meaning.is_extra(extra):
            names.pop()
        else:
            extra = ""
    if not all(names):
        return []
    if meaning.roles is CORRESPONDENCES and len(names) == CHAIN and RELATION.fullmatch(names[2]):
        names[1:] = reversed(names[1:])
    if len(names) == CHAIN and (meaning.ends[1] or is_relation(names[1])):
        return [RawStatement(number, names[0], names[1], names[2], True, extra)]
    return _pair(number, names[0], names[1], meaning, extra) if len(names) == CHAIN - 1 else []


def _pair(number: int, a: str, b: str, meaning: Meaning, extra: str = "") -> list[RawStatement]:
    """Read two names without a relation between them."""
    if not (meaning.arrow and a and b):
        return []
    if meaning.roles is CORRESPONDENCES and (last := LAST_RELATION.search(b)):
        return [RawStatement(number, a, last[1], b[: last.start()], True, extra)]
    relation = meaning.is_a if meaning.nested != "list" else ""
    return [RawStatement(number, a, relation, b, meaning.arrow != "edge", extra)]


def _parts(text: str) -> list[str]:
    """Split at commas, semicolons or bars outside quotes."""
    if not text.isascii() and not any(map(text.__contains__, ",;|")):
        text = text.translate(COMMAS)
    if '"' not in text and "'" not in text and "“" not in text and "„" not in text:
        even = text.replace(";", ",").replace("|", ",")
        return (even.removesuffix(",")).split(",")
    found, place = [], 0
    while place <= len(text):
        part = PART.match(text, place)
        if part is None or (part.end() == place and place == len(text)):
            break
        inner = unescaped(next((one for one in part.groups() if one is not None), ""))
        plain = part.lastindex == BARE_PART or (inner[:1].isalnum() and inner[-1:].isalnum())
        found.append(inner if plain else f'"{inner}"')
        place = part.end()
        if place == len(text) and text[-1:] not in ",;|":
            break
    return found


def _parse_symbols(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read subset symbols, axioms in functional syntax, and facts of Prolog."""
    if "(" in text and (axiom := FUNCTIONAL.fullmatch(text.rstrip("."))):
        child, relation, filler, parent = axiom.groups()
        if relation:
            facts = meaning.nested == "facts"
            return [RawStatement(number, local_name(child), local_name(relation), local_name(filler))] if facts else []
        relation = meaning.is_a if meaning.roles is AXIOMS else "SubClassOf"
        return [RawStatement(number, local_name(child), relation, local_name(parent))]
    if "(" in text and meaning.roles is CORRESPONDENCES and (equal := EQUIVALENT.fullmatch(text.rstrip("."))):
        return [RawStatement(number, equal[1].strip("<>"), "=", equal[2].strip("<>"))]
    if "(" in text and meaning.nested != "list" and (fact := FACT.fullmatch(text)):
        relation, ends = (
            fact[1].replace("_", " "),
            [name_of(QUOTE_INSIDE.sub("'", end) if end.startswith("'") else end) for end in fact.groups()[1:]],
        )
        stated = all(ends) and (is_relation(relation) or meaning.arrow != "edge")
        return [RawStatement(number, ends[0], relation, ends[1])] if stated else []
    found = []
    for symbol, turned in ((BELOW, False), (ABOVE, True)) if "|" not in text else ():
        parts = symbol.split(text)
        names = [end_of(part) for part in parts] if len(parts) > 1 else []
        pairs = pairwise(reversed(names) if turned else names)
        for child, parent in ((a, part) for a, whole in pairs for part in CONJUNCTION.split(whole)):
            inner = QUANTIFIED.fullmatch(parent)
            if inner and meaning.roles is not OF_EDGES.roles:
                found.append(RawStatement(number, child, inner[1], name_of(inner[2])))
            elif not inner:
                found.append(RawStatement(number, child, meaning.is_a, parent))
    return [one for one in found if one.subject and one.object]


def _parse_equals(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read what is equal to what, or the label of what."""
    parts = EQUAL.split(text) if "|" not in text else []
    if len(parts) != CHAIN - 1:
        return []
    relation = "=" if meaning.roles is CORRESPONDENCES else ""
    a, b = name_of(parts[0]), end_of(parts[1])
    return [RawStatement(number, a, relation, b)] if a and b else []


def _parse_named_arrow(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    del meaning
    found = NAMED_ARROW.search(text)
    if not found or not found.start() or ARROW.search(text, found.end()):
        return []
    ends = _node(text[: found.start()]), _node(text[found.end() :])
    a, b = name_of(ends[0]), end_of(ends[1])
    return [RawStatement(number, a, name_of(found[1] or found[2]), b)] if a and b else []


def _node(text: str) -> str:
    """Write the end of an arrow that is in brackets, as in Cypher, as its name."""
    text = text.strip()
    if text[:1] != "(" or _close(text) != len(text.rstrip(".,;")) - 1:
        return text
    inner = text.rstrip(".,;")[1:-1].strip()
    if named := CALLED.search(inner):
        return named[1] or named[2]
    typed = TYPED.fullmatch(inner)
    return typed[1] if typed else inner


def _parse_arrows(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    parts = ARROW.split(text)
    turned = len(parts) == 1
    if turned:
        parts = LEFT_ARROW.split(text)
        if len(parts) == 1:
            return []
    parts = list(map(_node, parts)) if "(" in text else parts
    names = [*map(name_of, parts[:-1]), end_of(parts[-1])]
    if turned:
        names.reverse()
    if len(names) == CHAIN - 1:
        return _pair(number, names[0], names[1], meaning)
    if len(names) == CHAIN and (meaning.nested == "facts" or is_relation(names[1])):
        return [RawStatement(number, names[0], names[1], names[2])] if names[0] and names[2] else []
    return [one for a, b in pairwise(names) for one in _pair(number, a, b, meaning)]


def _parse_pair(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read two names with an arrow or a colon between them; what is behind the first of them is one name."""
    found = PAIR_ARROW.search(text)
    item = ITEM_ID.match(text) if found and meaning.documents else None
    if item or not found or not found.start():
        found = COLON.search(text, item.end() - 1 if item else 1, LONGEST)
        if not found or is_prose(text):
            return []
    name, end = name_of(text[: found.start()]), text[found.end() :].strip()
    ends = LIST.split(end[1:-1]) if end[:1] == "[" and BRACKETED.fullmatch(end) else [end]
    return [row for one in ends for row in _pair(number, name, end_of(one), meaning)]


def _parse_dashes(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read names with dashes between them: with a relation, or a name and its label."""
    parts = DASHES.split(text)
    parts = [*map(name_of, parts[:-1]), end_of(parts[-1])]
    if len(parts) == CHAIN and meaning.nested == "facts" and all(parts):
        return [RawStatement(number, parts[0], parts[1], parts[2])]
    return _pair(number, parts[0], parts[1], meaning) if len(parts) == CHAIN - 1 and meaning.nested == "list" else []


def two_names(text: str) -> tuple[str, str] | None:
    """Split an arrow without a name, or two names in brackets; None if a line is anything else."""
    if text[:1] == "(" and _close(text) == len(text) - 1:
        parts = _parts(text[1:-1])
    else:
        parts = ARROW.split(text) if any(map(text.__contains__, f">{RIGHT}")) and not NAMED_ARROW.search(text) else []
    names = [*map(name_of, parts[:-1]), *map(end_of, parts[-1:])]
    return (names[0], names[1]) if len(names) == CHAIN - 1 and all(names) else None


def side_of(name: str, first: Sequence[str], meaning: Meaning) -> Literal["subject", "relation", ""]:
    """Return what a name is to the pairs that it is before or above; nothing if that is not certain.

    Args:
        name: What is before a colon, or above the pairs.
        first: The first names of the pairs.
        meaning: What is read.
    """
    if is_relation(name):
        return "relation"
    if meaning.nested != "facts":
        return ""
    looks, others = RELATION_NAME.fullmatch(name), [RELATION_NAME.fullmatch(one) for one in first]
    if looks and not any(others):
        return "relation"
    if not looks and any(others):
        return "subject"
    # Where two names are an axiom by themselves, only one word in lower case is surely a relation.
    longest = 1 if meaning.arrow else CHAIN
    if name[:1].islower() and len(name.split()) <= longest and all(one[:1].isupper() for one in first):
        return "relation"
    lower = not meaning.arrow and all(one[:1].islower() for one in first)
    return "subject" if lower and name[:1].isupper() else ""


def _parse_labelled(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read a pair behind its relation, such as 'hasAuthor: Book -> Author' or 'hasAuthor (Book -> Author)'."""
    found = LABELLED.match(text) if ":" in text or "(" in text else None
    if not found:
        return []
    rest = text[found.end() :].strip()
    inner = rest[1:-1] if rest[:1] == "(" and _close(rest) == len(rest) - 1 and ARROW.search(rest) else rest
    pair = two_names(inner) if found[0].endswith(":") or inner is not rest else None
    if not pair:
        return []
    name = name_of(found[1])
    side = side_of(name, pair[:1], meaning)
    rows = {"relation": (pair[0], name, pair[1]), "subject": (name, *pair)}
    return [RawStatement(number, *rows[side])] if side else []


def pairs_at_dashes(lines: Sequence[Line], meaning: Meaning) -> list[RawStatement]:
    """Read lines with two names, and a dash between them, as edges, if they form a graph: a description occurs only once."""
    if meaning.arrow != "edge":
        return []
    some = [line for line in lines if not line.text.endswith(":") and not is_prose(line.text)]
    split = [(line.number, list(map(name_of, DASHES.split(line.text)))) for line in some]
    pairs = [(number, parts[0], parts[1]) for number, parts in split if len(parts) == CHAIN - 1 and all(parts)]
    ends = [b for _, _, b in pairs]
    linked = {a for _, a, _ in pairs}.intersection(ends) or len(set(ends)) < len(ends)
    if not linked or 2 * len(pairs) < len(lines) or any(ARTICLE.match(b) or len(b.split()) > FEW_WORDS for b in ends):
        return []
    return [RawStatement(number, a, meaning.is_a, b, False) for number, a, b in pairs]


def spread_lists(stated: Statements, meaning: Meaning = OF_EDGES) -> list[RawStatement]:
    """Write a statement for each name of a list: several children or parents of one name, or several labels that other lines have, too."""
    rows, pairs = stated.rows, meaning.nested == "list"
    if meaning.roles is CORRESPONDENCES or not (
        pairs or (meaning.arrow == "edge" and SYMBOLIC.issuperset(stated.shapes))
    ):
        return rows
    for end, other in (("object", "subject"), ("subject", "object"))[: 1 if pairs else None]:
        ends = [getattr(one, end) for one in rows]
        parts = list(map(LIST.split, ends)) if any(map(LIST.search, ends)) else []
        if parts and _are_lists(parts, [getattr(one, other) for one in rows], meaning):
            spread = [(one, name_of(name)) for one, some in zip(rows, parts, strict=True) for name in some]
            return [
                one._replace(object=name) if end == "object" else one._replace(subject=name) for one, name in spread
            ]
    return rows


def _are_lists(parts: Sequence[Sequence[str]], names: Sequence[str], meaning: Meaning) -> bool:
    """Return whether what is split at commas are lists, each next to another name, and not names with commas."""
    listed = [(some, name) for some, name in zip(parts, names, strict=True) if len(some) > 1]
    pieces = [piece for some, _ in listed for piece in some]
    if not listed or any(not piece or len(piece.split()) > FEW_WORDS or ARTICLE.match(piece) for piece in pieces):
        return False
    if meaning.roles is LABELS:
        # Of a name such as 'Arts, Crafts & Sewing' no piece is a name elsewhere.
        counts = Counter(piece for some in {*map(tuple, parts)} for piece in {*some})
        return 2 * sum(counts[piece] > 1 for piece in pieces) > len(pieces)
    plain = len({*names}) == len(names) and not any(map(LIST.search, names))
    return plain and 2 * len(listed) >= len(parts) and not any(name in some for some, name in listed)


def lists_at_colons(lines: Sequence[Line], meaning: Meaning) -> list[RawStatement]:
    """Read lines of a parent and, behind a colon, its children with commas between them, if some of these are parents, too."""
    split = [(line.number, COLON.split(line.text, maxsplit=1)) for line in lines if not is_prose(line.text)]
    rows = [(number, name_of(ends[0]), [*map(name_of, LIST.split(ends[1]))]) for number, ends in split if len(ends) > 1]
    parents, children = [parent for _, parent, _ in rows], [some for *_, some in rows]
    linked = meaning.arrow == "edge" and not {*parents}.isdisjoint(chain.from_iterable(children))
    if not linked or 2 * len(rows) <= len(lines) or not _are_lists(children, parents, meaning):
        return []
    return [RawStatement(number, child, meaning.is_a, parent) for number, parent, some in rows for child in some]


def rows_at_commas(lines: Sequence[Line], meaning: Meaning) -> list[RawStatement]:
    """Read lines of three short names with commas between them, if most lines are such."""
    if meaning.documents != "id":
        return []
    split = [(line.number, list(map(cell_of, line.text.split(",")))) for line in lines]
    rows = [(number, names) for number, names in split if len(names) == CHAIN and all(map(_is_whole, names))]
    short = all(len(name.split()) <= FEW_WORDS for _, names in rows for name in names)
    whole = short and 2 * len(rows) > len(lines)
    return [RawStatement(number, names[0], names[1], names[2]) for number, names in rows if whole]


def _is_whole(cell: str) -> bool:
    """Return whether a cell is a name, and no piece of something whose brackets are open or closed elsewhere."""
    return bool(cell) and all(cell.count(begin) == cell.count(end) for begin, end in ("[]", "{}", "()"))


def _parse_names(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read three words, of which the second is written like a relation of a program."""
    del meaning
    found = OF_NAMES.fullmatch(text.rstrip(".,;"))
    names = list(map(name_of, found.groups())) if found else []
    return [RawStatement(number, names[0], names[1], names[2])] if names and names[0] and names[2] else []


def is_relation(text: str) -> bool:
    """Return whether a text is a wording of the subclass relation."""
    padded = f" {text.strip().lower()} "
    return (WORDED.fullmatch(padded) or BARE.fullmatch(padded)) is not None


def _parse_sentence(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read 'A is a B', or several such sentences; what a sentence says besides is left out."""
    if of := GENITIVE.fullmatch(text):
        names = (name_of(of[2]), end_of(of[3]))
        child, parent = names if of["above"] else reversed(names)
        return [RawStatement(number, child, meaning.is_a, parent)]
    lower = text.lower()
    if len(lower) > len(text):
        lower = text
    worded = WORDED.search(lower)
    found = worded or BARE.search(lower)
    if not found or not found.start() or is_prose(text):
        return []
    before = text[: found.start()].rstrip()
    if not worded and (apposed := APPOSED.search(before)):
        # In 'salmon: a kind of fish' the article is none of the name.
        before = before[: apposed.start()]
    before = before.rstrip("-–—:").rstrip() if before.endswith(("-", "–", "—", ":")) else before
    if "," in before:
        return []
    article = GERMAN_ARTICLE if found.lastgroup == "german" else ARTICLE
    more = CLAUSE.search(lower, found.end())
    rest = text[found.end() : more.start() if more else None].lstrip("-–—: ")
    a = _without(article, before, name_of)
    ends = [_without(article, part, end_of) for part in (ALSO.split(rest) if " and a" in rest else (rest,))]
    if not a or not all(ends) or a in PRONOUNS:
        return []
    if found.lastgroup == "down":
        return [RawStatement(number, b, meaning.is_a, a) for b in ends]
    return [RawStatement(number, a, meaning.is_a, b) for b in ends]


def _may_be_worded(text: str) -> bool:
    lower = text.lower()
    return (WORDED.search(lower) or BARE.search(lower) or GENITIVE.match(lower)) is not None


def _without(article: re.Pattern[str], text: str, clean: Callable[[str], str]) -> str:
    """Return a name without the articles before its marks and inside of them, unless it is in quotes."""
    text = text.lstrip()
    before = article.match(text)
    text = text[before.end() :] if before else text
    name = clean(text)
    found = article.match(name) if not before and text.lstrip(AROUND_QUOTES)[:1] not in OPENING else None
    return name[found.end() :] if found else name


def _marked(marks: str) -> Callable[[str], object]:
    return lambda text: any(map(text.__contains__, marks))


Reader: TypeAlias = Callable[[int, str, Meaning], list[RawStatement]]
Rule: TypeAlias = tuple[str, Reader, Callable[[str], object]]
"""A shape, its reader, and whether a text may have lines in this shape."""
TUPLES: Rule = ("tuples", _parse_tuple, _marked("(<[{⟨（"))
SYMBOLS: Rule = ("subset symbols", _parse_symbols, _marked(f"({SUBSETS}{SUPERSETS}<"))
EQUATIONS: Rule = ("equations", _parse_equals, EQUAL.search)
LABELLED_PAIRS: Rule = ("arrows", _parse_labelled, _marked(f"(>{RIGHT}"))
NAMED_ARROWS: Rule = ("arrows", _parse_named_arrow, _marked(">→"))
ARROWS: Rule = ("arrows", _parse_arrows, _marked(f"<>›»{RIGHT}{LEFT}"))
CELLS: Rule = ("rows of cells", _parse_bars, _marked("|\t;｜"))
PAIRS: Rule = ("pairs", _parse_pair, _marked(f":：>{RIGHT}"))
DASHED: Rule = ("dashes", _parse_dashes, _marked("-–—"))
SENTENCES: Rule = ("sentences", _parse_sentence, _may_be_worded)
NAMES: Rule = ("statements", _parse_names, pattern_of(r"[A-Z_:](?:(?<=[a-z][A-Z])|(?<=\w[_:])\w)").search)
WHOLE = frozenset({_parse_tuple, _parse_bars, _parse_pair, _parse_dashes})
"""Rules for which commas and semicolons are within a statement."""
RULES = {
    "tree": (TUPLES, SYMBOLS, LABELLED_PAIRS, NAMED_ARROWS, ARROWS, CELLS, SENTENCES),
    "facts": (TUPLES, SYMBOLS, LABELLED_PAIRS, NAMED_ARROWS, ARROWS, CELLS, DASHED, SENTENCES, NAMES),
    "list": (TUPLES, EQUATIONS, SYMBOLS, NAMED_ARROWS, CELLS, PAIRS, SENTENCES, DASHED),
}
"""Shapes of a line, the likelier first."""


RANKED = pattern_of(
    r"(?:\*\*|__)?(?:(root(?: (?:node|class|concept))?|(?:level|tier|layer) ?\d{1,2}|parent|child)|(?:sub-?){0,3}(?:category|class|concept|type|topic|group|node)"
    r"|kingdom|phylum|order|family|genus|species)(?: \d{1,3})?:(?:\*\*|__)?\s+(?=\S)",
    re.IGNORECASE,
)
"""What says where in a tree a name is."""


def fields(lines: Sequence[Line], meaning: Meaning) -> tuple[list[RawStatement], set[int]]:
    """Read blocks of lines such as ``Subject: Oslo``, where the names of the fields are those of columns."""
    roles = _roles_of_fields(meaning)
    first = (FIELD.fullmatch(line.text.strip()) for line in lines[:LOOKED_AT] if ":" in line.text)
    if not any(part and bare(part[1]) in roles for part in first):
        return [], set()
    blocks: list[tuple[dict[str, str], list[int]]] = [({}, [])]
    for line in lines:
        for part in filter(
            None, () if ":" not in line.text else (FIELD.fullmatch(part.strip()) for part in FIELDS.split(line.text))
        ):
            role = roles.get(bare(part[1]))
            if role is None or (role == "score" and not any(map(str.isdigit, part[2]))):
                continue
            if role in blocks[-1][0]:
                blocks.append(({}, []))
            cells, numbers = blocks[-1]
            cells[role] = number_of(part[2].strip()) if role == "score" else name_of(part[2])
            numbers.append(line.number)
    before, relation, after = meaning.ends
    if meaning.nested == "tree" and len(blocks[-1][0]) == 1 and len({line.depth for line in lines if line.marked}) > 1:
        # A name with several below it is an outline.
        return [], set()
    whole = [
        (cells, numbers)
        for cells, numbers in blocks
        if cells.get(before) and cells.get(after) and (cells.get(relation) or meaning.arrow)
    ]
    found = [
        RawStatement(
            numbers[-1],
            cells[before],
            cells.get(relation) or ("" if meaning.nested == "list" else meaning.is_a),
            cells[after],
            extra=cells.get(meaning.more, ""),
        )
        for cells, numbers in whole
    ]
    return found, {number for _, numbers in whole for number in numbers}


@cache
def _roles_of_fields(meaning: Meaning) -> Mapping[str, str]:
    """Return the role of each name of a field; where a name has several, the first."""
    found: dict[str, str] = {}
    for role in filter(None, (*meaning.ends, meaning.more)):
        for name in (name for words in meaning.roles.names[role] for name in words.names if len(name) > 1):
            found.setdefault(name, role)
    return found


class _Frame(NamedTuple):
    """What a frame of Manchester syntax is about, and the slot that is read."""

    kind: str = ""
    subject: str = ""
    slot: str = ""


def manchester(lines: Sequence[Line], meaning: Meaning = OF_EDGES) -> tuple[list[RawStatement], set[int]]:
    """Read frames of OWL's Manchester syntax: classes, properties and individuals; also the lines that were taken."""
    found: list[RawStatement] = []
    taken, unread = set[int](), set[int]()
    if not any(line.text.startswith(FRAMES) and MANCHESTER.fullmatch(line.text) for line in lines[:LOOKED_AT]):
        return found, taken
    frame, ends = _Frame(), dict[str, list[str]]()
    for line in (whole._replace(text=part) for whole in lines for part in SLOT_BREAK.split(whole.text)):
        head = MANCHESTER.fullmatch(line.text)
        if head and head[1] in FRAMES:
            frame, ends = _Frame(head[1], local_name(head[2])), {}
            taken.add(line.number)
            continue
        if head:
            frame = frame._replace(slot=head[1])
        elif not (frame.slot and frame.subject and line.number - 1 in taken):
            continue
        taken.add(line.number)
        if not frame.subject:
            continue
        rest = head[2] if head else line.text
        terms = [part.strip() for part in TERMS.findall(rest) if part.strip()]
        if frame.slot in ("Domain", "Range"):
            ends.setdefault(frame.slot, []).extend(map(local_name, terms))
            if frame.slot == "Range" or "Range" in ends:
                new = ends["Range"] if frame.slot == "Domain" else list(map(local_name, terms))
                found += [
                    RawStatement(line.number, a, frame.subject, b, extra=frame.kind if meaning.more == "kind" else "")
                    for a in ends.get("Domain", ())
                    for b in new
                    if meaning.nested == "facts"
                ]
            continue
        stated = [list(_parse_slot(line.number, frame, term, meaning)) for term in terms]
        # Of edges only superclasses and types are some.
        related = None if meaning.nested == "facts" else {"SubClassOf", meaning.is_a}
        found += [one for one in chain(*stated) if related is None or one.relation in related]
        if frame.slot in STATED and not all(stated):
            unread.add(line.number)
    return found, taken - unread


def _parse_slot(number: int, frame: _Frame, term: str, meaning: Meaning) -> Iterator[RawStatement]:
    """Read one term behind ``SubClassOf:``, ``Types:`` or ``Facts:``."""
    is_a = meaning.is_a if meaning.roles is AXIOMS else "SubClassOf"
    if frame.slot in ("SubClassOf", "EquivalentTo") and (restriction := RESTRICTION.fullmatch(term)):
        yield RawStatement(number, frame.subject, local_name(restriction[1]), local_name(restriction[2]))
    elif frame.slot in ("SubClassOf", "Types") and NAME_OF_CLASS.fullmatch(term):
        relation = is_a if frame.slot == "SubClassOf" else meaning.is_a
        yield RawStatement(number, frame.subject, relation, local_name(term))
    elif frame.slot == "Facts" and (fact := FACT_OF_FRAME.fullmatch(term)):
        yield RawStatement(number, frame.subject, local_name(fact[1]), local_name(fact[2]))


def local_name(term: str) -> str:
    """Write a class of OWL as a name: without brackets and without an empty prefix."""
    return name_of(term).removeprefix(":").removeprefix("<").removesuffix(">").replace("_", " ")


def outline(lines: Sequence[Line], meaning: Meaning = OF_EDGES) -> tuple[list[RawStatement], set[int]]:
    """Read nested lines: each is below the nearest line before it that is less deep. Also the lines that are nodes."""
    if any(line.text.endswith((":", "]")) and CHILDREN.fullmatch(line.text) for line in lines):
        lines = [line._replace(text=named[1]) for line in lines if (named := NAMED.fullmatch(line.text))]
    lines = _without_labels(_without_fields(lines)) if meaning.nested == "tree" else lines
    tree = _nodes_of(lines)
    listed = _children_behind(tree, meaning) if meaning.nested == "tree" else {}
    facts = meaning.nested == "facts" and _are_facts([line for line in tree if line.depth > tree[0].depth])
    found: list[RawStatement] = []
    nodes: set[int] = set()
    above: list[_Node] = []
    parents: set[int] = set()
    for line in tree:
        while above and above[-1].depth >= line.depth:
            above.pop()
        if above:
            parents.add(above[-1].number)
        relation, end = (above and facts and _fact(line.text, described=False)) or ("", "")
        name = end or ("" if relation else node_of(line.text))
        if not name and not relation:
            continue
        nodes.add(line.number)
        if above and not relation and meaning.nested == "tree":
            found.append(RawStatement(line.number, name, meaning.is_a, above[-1].name))
            if listed:
                found += [RawStatement(line.number, child, meaning.is_a, name) for child in listed.get(line.number, ())]
        elif above:
            found += _relate_to_above(line.number, above, relation, name, meaning)
        above.append(_Node(line.depth, name, relation if not end else "", line.number))
    # Where a relation is needed, a name states nothing.
    return found, nodes if meaning.arrow else nodes & (parents | {one.line for one in found})


def _nodes_of(lines: Sequence[Line]) -> list[Line]:
    """List the lines of an outline that are no prose: of a line without a bullet the last item above and the line below decide."""
    tree: list[Line] = []
    item, marked = None, any(line.marked for line in lines)
    for at, line in enumerate(lines):
        if line.marked:
            item = line
        elif _is_prose(line, item, lines[at + 1] if at + 1 < len(lines) else None, marked):
            continue
        tree.append(line)
    return tree


def _without_fields(lines: Sequence[Line]) -> Sequence[Line]:
    """Leave out what describes an item below it, such as its definition, and strip 'include' from the name above a list."""
    kept: list[Line] = []
    for line in lines:
        if ":" in line.text or "：" in line.text:
            if kept and line.depth > kept[0].depth and FIELD_OF_ITEM.match(line.text):
                continue
            if line.text[-1] in HEADED:
                kept.append(line._replace(text=INCLUDING.sub("", line.text)))
                continue
        kept.append(line)
    return kept


def _without_labels(lines: Sequence[Line]) -> Sequence[Line]:
    """Strip words such as 'Root:' and 'Level 2:' before names, and ranks such as 'Genus:' where most lines have one."""
    found = [RANKED.match(line.text) if ":" in line.text else None for line in lines]
    if not any(found):
        return lines
    found = [one if one and _is_short(line.text[one.end() :]) else None for one, line in zip(found, lines, strict=True)]
    most = 2 * sum(one is not None for one in found) > len(lines)
    return [
        line._replace(text=line.text[one.end() :]) if one and (most or one[1]) else line
        for one, line in zip(found, lines, strict=True)
    ]


def _is_short(name: str) -> bool:
    return 0 < len(name.split()) <= FEW_WORDS and not ARTICLE.match(name) and not LIST.search(name)


def _children_behind(tree: Sequence[Line], meaning: Meaning) -> dict[int, list[str]]:
    """Return the names behind the colons of leaves by their lines, if these are lists of short names, and no descriptions."""
    places = [at for at, line in enumerate(tree) if ":" in line.text or "：" in line.text]
    leaves = [tree[at] for at in places if at + 1 == len(tree) or tree[at + 1].depth <= tree[at].depth]
    split = [(line.number, COLON.split(line.text, maxsplit=1)) for line in leaves]
    rows = [(number, name_of(ends[0]), LIST.split(ends[1])) for number, ends in split if len(ends) > 1]
    whole = not any(ends[1].rstrip().endswith(".") for _, ends in split if len(ends) > 1)
    lists = whole and _are_lists([some for *_, some in rows], [name for _, name, _ in rows], meaning)
    return {number: list(map(name_of, some)) for number, _, some in rows} if lists else {}


def _are_facts(inner: Sequence[Line]) -> bool:
    """Return whether most lines below others are relations."""
    return 2 * sum(_fact(line.text) is not None for line in inner) >= len(inner)


class _Node(NamedTuple):
    """A line of an outline: a name, or a relation that leads to the names below it."""

    depth: float
    name: str
    relation: str = ""
    number: int = 0


def _relate_to_above(
    number: int, above: Sequence[_Node], relation: str, name: str, meaning: Meaning
) -> Iterator[RawStatement]:
    """Return what a line of an outline is to the lines above it."""
    last = above[-1]
    if meaning.nested == "list":
        yield RawStatement(number, last.name, "", name)
    elif last.relation:
        subject = next((one.name for one in reversed(above) if not one.relation), "")
        yield RawStatement(number, subject, last.relation, name)
    elif relation and name:
        yield RawStatement(number, last.name, relation, name)
    elif not relation and meaning.arrow:
        # In triples what is inside of a name is in some relation to it, which is not written.
        yield RawStatement(number, name, meaning.is_a, last.name)


def _fact(text: str, *, described: bool = True) -> tuple[str, str] | None:
    """Split a line into a relation and an object at its colon; a relation without an object ends with the colon; a description is none, if there may be some."""
    relation, colon, end = text.replace("：", ": ", ":" not in text).partition(":")
    if not colon or (end and not end.startswith((" ", "*", "_", "`"))):
        return None
    name = end_of(end)
    if (described and name.lower().startswith(("a ", "an "))) or len(name.split()) > LONGEST_NAME:
        return None
    return name_of(relation), name


def _is_prose(line: Line, item: Line | None, following: Line | None, marked: bool) -> bool:
    """Return whether a line of an outline without a bullet is a sentence around it, or says more of an item, and is not a node."""
    text = line.text.strip("*_")
    words = len(text.split())
    ends = text.endswith((":", "!", ".", "：", "！", "。"))
    within = item is not None and item.depth < line.depth and item.depth >= LINES
    if within and (words > FEW_WORDS or text.endswith((".", "!", "。", "！")) or ARTICLE.match(text)):
        # What is as deep, and has a bullet, is below the item.
        return following is None or following.depth <= line.depth + 0.5
    if (words > FEW_WORDS or ends) and is_prose(text):
        return True
    if marked and not (following is not None and following.depth > line.depth):
        return True
    return words > FEW_WORDS and (ends or text.endswith(("?", "？")))


def node_of(text: str) -> str:
    """Return the name of a node, without the description after it."""
    if text[:1] in BEGIN_ENDLESS and ENDLESS.fullmatch(text):
        return ""
    if text[-1:] == "/" and "://" not in text:
        text = text.rstrip("/")
    if text[:2] in ("**", "__") and (bold := BOLD.match(text)):
        return name_of(bold[1].removesuffix(":"))
    found = DESCRIBED.search(text) if _may_be_described(text) else None
    return end_of(text[: found.start()] if found else text.rstrip(":："))


def _may_be_described(text: str) -> bool:
    return ":" in text or "-" in text or not text.isascii()


def count_described(nodes: Sequence[Line], names: AbstractSet[str]) -> int:
    """Count the nodes of an outline that have a description that was left out, and no names of other nodes."""
    texts = [line.text for line in nodes if _may_be_described(line.text)]
    behind = [text[found.end() :] for text, found in zip(texts, map(DESCRIBED.search, texts), strict=True) if found]
    return sum(names.isdisjoint(map(name_of, LIST.split(text))) for text in behind)
