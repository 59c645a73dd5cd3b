"""Coarse language in Italian and English: what a nickname may not hold and what chat masks or refuses.

Whole words only, each with the endings that it really has, so that nobody called Cazzaniga and nothing from
Scunthorpe is touched; but however a word is spelled: with look-alike letters, digits for letters, repeated or
s p a c e d letters. Words that are also surnames or plain words (negri, troia) are found only in phrases that
leave no doubt.
"""

import re
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple

from services.runtime.lookalikes import letters


class Grade(IntEnum):
    """How bad it is."""

    COARSE = 1  # may be said with its letters masked
    GRAVE = 2  # insults of whole groups, blasphemy, calls to suicide


class Found(NamedTuple):
    """A word or phrase at `text[start:end]`."""

    start: int
    end: int
    grade: Grade


# A stem and its endings; `-` is the stem itself.
_COARSE_WORDS = """
cazz o i ata ate one oni
minchi a e ata ate one oni
stronz o a i e ata ate etto etta
vaffancul o
fancul o
merd a e oso osa accia
coglion e i a ata ate azzo
puttan a e ata ate iere
bastard o a i e
fig a
cul o i
incul are ato ata ati arti arsi
fott uto uta uti ute iti ere
rottincul o
pompin o i
testadicazz o
fuck - s ed er ers ing
motherfuck er ers ing
shit - s ty head
bullshit -
cunt - s
bitch - es
asshole - s
arsehole - s
dickhead - s
cocksucker - s
whore - s
slut - s
wanker - s
"""

_GRAVE_WORDS = """
froci - o a one
ricchion e i
terron e a i
mongoloid e i
porcodio -
diocane -
dioporco -
porcamadonna -
nigg er ers a as
fagg ot ots
kike - s
kys -
ammazzat i evi
"""

_COARSE_PHRASES = (
    "una troia", "che troia", "brutta troia", "figlio di troia", "figlia di troia", "figli di troia",
    "sta troia", "porca troia", "testa di cazzo", "figlio di puttana", "son of a bitch",
)  # fmt: skip

_GRAVE_PHRASES = (
    "porco dio", "dio porco", "dio cane", "dio maiale", "dio bestia", "dio boia", "porca madonna",
    "madonna puttana", "porco gesu", "sporco negro", "sporca negra", "sporchi negri", "negro di merda",
    "negra di merda", "negri di merda", "ebreo di merda", "ebrei di merda", "kill yourself",
)  # fmt: skip


def _words(text: str, grade: Grade) -> dict[str, Grade]:
    found = {}
    for line in text.split("\n"):
        if line:
            stem, *endings = line.split()
            found.update({stem + ending.replace("-", ""): grade for ending in endings})
    return found


_WORDS = {**_words(_COARSE_WORDS, Grade.COARSE), **_words(_GRAVE_WORDS, Grade.GRAVE)}
_SQUEEZED = {re.sub(r"(.)\1+", r"\1", word): grade for word, grade in _WORDS.items()}
_PHRASES = {
    **{tuple(phrase.split()): Grade.COARSE for phrase in _COARSE_PHRASES},
    **{tuple(phrase.split()): Grade.GRAVE for phrase in _GRAVE_PHRASES},
}
_LONGEST_PHRASE = max(map(len, _PHRASES))
_SHORTEST_SPACED = min(map(len, _WORDS))

_WORD = re.compile("[^\\W_\u0300-\u036f][\\w\u0300-\u036f@$€]*|[@$€][\\w@$€]+")
_LEET = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "€": "e"}
)
_RUN = re.compile(r"(.)\1{2,}")
_MOST_BETWEEN_LETTERS = 3


class _Token(NamedTuple):
    start: int
    end: int
    word: str


def find(text: str) -> list[Found]:
    """All coarse words and phrases, in order of their start; they may overlap."""
    tokens = [_token(match.start(), match.end(), match.group()) for match in _WORD.finditer(text)]
    found = [
        Found(each.start, each.end, grade) for each in tokens if (grade := _grade(each.word)) is not None
    ]
    found += _phrases(tokens)
    found += _spaced(text, tokens)
    return sorted(found)


def mask(text: str, found: list[Found]) -> str:
    """The text with every letter of what was found, but the first one of it, as an asterisk."""
    shown = list(text)
    for start, end, _ in found:
        shown[start + 1 : end] = ["*" if char.isalnum() else char for char in text[start + 1 : end]]
    return "".join(shown)


def _token(start: int, end: int, text: str) -> _Token:
    plain = letters(text).replace("_", "")
    trimmed = plain.strip("0123456789").translate(_LEET)
    return _Token(start, end, trimmed if _grade(trimmed) else plain.translate(_LEET))


def _grade(word: str) -> Grade | None:
    if word in _WORDS:
        return _WORDS[word]
    if _RUN.search(word) is None:
        return None
    twice = _RUN.sub(r"\1\1", word)
    return _WORDS.get(twice) or _SQUEEZED.get(re.sub(r"(.)\1+", r"\1", word))


def _phrases(tokens: list[_Token]) -> list[Found]:
    found = []
    words = [token.word for token in tokens]
    for first in range(len(tokens)):
        for length in range(2, _LONGEST_PHRASE + 1):
            grade = _PHRASES.get(tuple(words[first : first + length]))
            if grade is not None and first + length <= len(tokens):
                found.append(Found(tokens[first].start, tokens[first + length - 1].end, grade))
    return found


def _spaced(text: str, tokens: list[_Token]) -> list[Found]:
    """Words whose letters stand apart: runs of single letters with little between them."""
    found = []
    run: list[_Token] = []
    for token, following in pairwise([*tokens, _Token(len(text), len(text), "")]):
        if len(token.word) == 1:
            run.append(token)
        joined = len(following.word) == 1 and following.start - token.end <= _MOST_BETWEEN_LETTERS
        if run and not (joined and run[-1] is token):
            grade = _grade("".join(each.word for each in run)) if len(run) >= _SHORTEST_SPACED else None
            if grade is not None:
                found.append(Found(run[0].start, run[-1].end, grade))
            run = []
    return found
