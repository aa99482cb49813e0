"""English words that tell the noun phrases of a text: what separates them, what cannot end them, what they cannot be alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from goldassay.concepts.fold import WORDS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VERBS = """
accompany achieve act add adjust administer admit advise affect agree aid allow ambulate answer appear apply appreciate approve
arrange arrive ask assess assist associate assume attempt attribute avoid await base believe bother bring call carry cause change
check choose claim clear come communicate complain complete concern conclude confirm consider consist contact continue
contract contribute cover deal decide decline deem defer demonstrate deny depend describe determine develop diagnose
discontinue discuss document eat elect eliminate encourage endorse enjoy ensure establish exacerbate examine exceed exert
expect experience explain exhibit express extend fail fall feel fill find finish follow forget gain happen hear help hold increase decrease limit heal aggravate address
hope identify improve include indicate inform initiate inquire instruct intend involve join keep lack land last lead learn
leave let lie like listen live localize look lose maintain manage mean meet mention miss monitor move need note notice obtain
occur offer opt order palpate participate pass perform persist play practice prefer prepare prescribe present prevent proceed
produce prompt propose provide pull push quit radiate rate reach read realize recall receive recommend recover reduce refer
refuse regard relate relieve remain remember remove repeat reply report represent request require resolve respond result
return reveal review run schedule seek send serve set share sit sleep speak spend spread stand start state stay stick
stop strike struggle subside submit suffer suggest suppose talk tell tend think tolerate tell treat trigger try turn twist
undergo understand urge utilize verify visit wait wake walk want warrant watch wear welcome wish wonder work worry worsen write
"""
"""Verbs of reporting, and common others, in their base form."""

FORMS = """
ate became began brought came chose chosen eaten fallen felt forgot forgotten found gone got gotten heard held kept knew
laid lain lay led lost lying meant met paid quitting ran refilled running said sat saw sent sitting slept spent spoke spoken
stood stopped stopping stuck taught thought told tried understood undergone underwent went woke woken wore worn written wrote
admitted admitting controlling deferred deferring denied denies fell getting letting opted opting permitted planned planning preferred
quitted referred referring setting shown stating submitted submitting wanting worried worries
"""
"""Forms of verbs that no rule makes."""

NOUNS = """
approval arrival arsenal animal antibiotic antipyretic anesthetic analgesic cardinal chemical clinic clinical colic criminal
diuretic emetic festival fungal hospital interval journal laxative liberal manual material medal metal mineral music narcotic
objective oral panic pedal perspective physical portal preservative professional proposal referral refusal relative removal
rental rehearsal renewal rival sedative signal skeptic terminal tonic topic traffic trial tunnel withdrawal alternative motive
additive incentive initiative representative vaccine family assembly anomaly homily jelly belly italy lily butterfly july reply
supply allergy summary library ovary capillary diary dictionary salary boundary glossary bed blood breed feed food greed head need red seed shed sled speed steed weed hundred
history laboratory memory category theory directory territory factory inventory ivory story anxious
"""
"""Nouns that end like adjectives, adverbs or participles."""

ADJECTIVES = """
able abnormal acute additional advanced afraid alert alike alive alone appropriate asleep average aware bad benign better big bilateral
brief bright broad busy calm certain chronic clean clear close cold comfortable common complete consistent constant correct
crazy daily dark dead deep dense different difficult diffuse distant double dry due dull early easy elderly elective empty enough entire equal
exact excellent extra extreme fair familiar far fast final fine firm fit flat focal free frequent fresh full gentle glad grand great half
happy hard healthy heavy helpful high hot huge ideal important independent intact intermittent internal large late left light
likely little live local long loose loud low main major married marked maximum mild minimal minimum minor moderate modest mutual narrow natural new
next nice normal notable numerous obvious odd ok okay old ongoing only open outer overall painful palpable particular past patent
persistent pleasant poor possible potential present pretty previous primary prior private prominent proper prn pure quick quiet rapid
rare ready real recent regular remote right rough round routine sad safe same scared secondary separate severe shallow sharp short sick
significant similar simple single slight slow small smart smooth soft solid sore special specific spontaneous stable standard
steady stiff still straight strange strict strong subsequent substantial subtle sudden sufficient super sure suspicious sweet symmetric
systolic diastolic tall tender thick thin tight tiny tired top total tough true typical unable unchanged unclear unknown unlikely unremarkable
unusual upper upset upright usual vague valid vast vital warm weak well wet wide wise wonderful worse worst wrong yearly young
anterior posterior positive negative superior inferior distal proximal lateral medial ventral dorsal interior exterior lower inner mid
reactive supple nontender atraumatic normocephalic afebrile
day days week weeks weekend weekends month months year years hour hours minute minutes second seconds time times moment morning mornings
afternoon evening evenings night nights today tonight tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january
february march april june august september october november december
"""
"""Words that stand before a noun, but are no concept without one; times without a number are none either."""

PEOPLE = """
patient patients doctor doctors physician physicians dr mr mrs ms miss sir madam provider providers lady gentleman gentlemen guy
guys person people man woman men women everybody nobody somebody mom dad husband wife son daughter name
"""
"""Those whom a note is about or by: who, not what."""

SEPARATORS = """
twice thrice compliant along pending third according additionally ago ahead already anyway apart apparently meantime approximately aren aside bit couldn cause daresay didn doesn dont doesnt didnt don
else entirely furthermore hadn hasn haven hasnt havent hadnt wasnt werent isnt arent cant wont isn ll lot lots mustn needn nonetheless notwithstanding
okay oh per plenty plus secondary shouldn shan so-called status-post sp status post then thereby therefore till toward unlike upon ve versus
via vs wasn weren wherever whereas won worth wouldn yeah yet eventually sometime hello hi hey bye please thanks thank
several multiple various certain couple few further other others another additional own both either neither every each any some
one two three four five six seven eight nine ten eleven twelve possible probable likely unlikely suspected presumed
is am was were been being had has did does done doing made makes make making seen sees see seeing took takes take taking taken
gave given gives giving goes going gets shows showed showing uses using used needs needed wants wanted prior longer anymore
"""
"""Other words between noun phrases."""

WEAK = _words("""history evidence use type sign signs evaluation management continuation severity presence onset lot couple
number kind form degree amount majority rest lack sort set pair""")
"""They only introduce what follows their "of": no concepts by themselves there."""

OF = frozenset({"shortness", "range", "loss", "difficulty", "lack"})
"""Heads of terms that are one concept with what follows their "of": shortness of breath."""

EPONYMS = _words(
    """disease syndrome palsy sign lymphoma sarcoma tumor esophagus phenomenon thyroiditis tendon dementia"""
)
"""After the genitive of a name they make one concept with it; after any other genitive a new noun phrase begins."""

GRADED = _words("""type grade stage class phase level degree group factor category""")
"""Words that a number after them belongs to: diabetes type 2."""

SUBJECTS = _words("""he she they we i you it who that which to will would can could may might must shall should not patient patients
doctor did does do didn doesn don won wouldn couldn can't cannot don't didn't doesn't won't""")
"""After these, a word that is a noun or a verb is a verb."""

AMBIGUOUS = frozenset(
    f"{word}{ending}"
    for word in _words("""change result visit sleep concern practice trigger work walk contact plan list test study record exercise look
help support score return review delay benefit effort cause focus display request response strike turn repeat spread answer
share document struggle""")
    for ending in ("", "s")
)
"""Nouns that are verbs too."""

CONTRACTED = _words("""i you he she it we they that there who what here let where how when""")
"""Pronouns and the like, which stand before 'm, 're, 've, 'll, 'd and 's."""

VOWELS = "aeiou"
ADJECTIVAL = re.compile(
    r".{2,}(?:[ai]ble|ful|less|ous|[tsr]ive|ical|[nrt]al|ial|eal|[dtlnpsmb]ic|[aeiu]tory|ular|[^e]ed|ary)"
)
ADVERBIAL = re.compile(r".{3,}ly")


def _inflected(verb: str) -> Iterable[str]:
    """Make the regular forms of a verb."""
    stem = verb.removesuffix("e")
    last_y = verb.endswith("y") and verb[-2] not in VOWELS
    root = f"{verb[:-1]}i" if last_y else verb
    yield from (verb, f"{root}es" if last_y or verb.endswith(("s", "sh", "ch", "x", "z")) else f"{verb}s")
    yield from (f"{root}ed" if not verb.endswith("e") else f"{verb}d", f"{stem}ing")


PARTICIPLES = frozenset(form for verb in VERBS.split() for form in _inflected(verb) if form.endswith("ed"))
"""Adjectives after a determiner or preposition, verbs elsewhere."""

DETERMINERS = _words("""a an the no any of with without for in by on and or his her their its your my our this these those some her
such including between from""")
"""After these, a participle is an adjective."""

SEPARATING = (
    frozenset(
        [*WORDS.split(), *FORMS.split(), *PEOPLE.split(), *SEPARATORS.split()]
        + [form for verb in VERBS.split() for form in _inflected(verb)]
    )
    - AMBIGUOUS
    - PARTICIPLES
    - {"back", "general"}
)
NOUN = frozenset(NOUNS.split())
ADJECTIVE = frozenset(ADJECTIVES.split()) - {"clinical"}
