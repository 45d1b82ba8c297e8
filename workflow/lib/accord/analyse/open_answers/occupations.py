"""Occupations: a list of them, and the one that a text says a person has."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from accord.analyse.open_answers.about import of_the_person
from accord.checks.deciding.lists import rows
from accord.errors import all_problems
from accord.text.denials import denies

UNLISTED = "unlisted"
"""An occupation that is said, but not in the list."""
MOST_WORDS, LONGEST = 4, 8
"""Words of a term, and of a bare phrase; words of a phrase that are searched for a term."""
MOST_VERBS = 200
"""Verbs of an answer behind which a term is sought: how long that takes is bounded."""
COLUMNS = ("term", "canonical", "harmful")

_WORD = re.compile(r"[^\W_](?:[\w'-]*[^\W_])?")
_MAYBE = (
    "(?:also|actually|apparently|certainly|clearly|currently|definitely|either|likely|maybe|most|no doubt|now|perhaps"
    "|possibly|probably|still|surely|undoubtedly|without (?:a )?doubt|not (?:only|just|merely|simply))"
)
_VERB = r"(?:\b(?:is|was|are|were|am|be|being|been|as)|(?<=\w)'(?:s|m|re))"
_SAID = re.compile(
    rf"{_VERB}(?: {_MAYBE})* (?:one of )?(?:an?|the) (?=\w)"
    r"|\b(?:occupation|profession|job)(?: title)?(?:: ?| - | (?:is|was)(?: (?:that of|to be))? )(?:(?:an?|the) )?(?=\w)"
    r"|\blook(?:s|ed)? like (?:an?|the) (?=\w)"
    r"|\b(?:image|picture|photo|photograph|portrait) (?:of|shows|depicts) (?:an?|the) (?=\w)"
)
"""What stands before the phrase: is a, 's an, was the, works as a, probably is a, his occupation is, job:."""
_PLAINLY = re.compile(rf"{_VERB} (?=\w)")
"""What also stands before a listed term, without an article: works as waiter, they are teachers."""
_END = frozenset((
    "who", "that", "which", "in", "at", "for", "with", "and", "or", "from", "on", "by", "because", "but", "of", "to",
    "as", "is", "was", "are", "were", "has", "have", "had", "nor", "not", "no", "never", "so", "than", "then", "when",
    "where", "while", "whose", "a", "an", "the", "neither", "hardly", "barely", "nobody", "nothing", "none",
    "if",
))  # fmt: skip
"""Words that end a phrase."""
_UNKNOWN = frozenset((
    "unknown", "unclear", "unspecified", "undisclosed", "undetermined", "uncertain", "unsure", "n", "na",
    "insufficient", "impossible", "unable", "difficult", "sorry", "mystery", "question", "answer", "image", "picture",
    "photo", "photograph", "portrait", "lie", "stereotype", "prejudice", "myth",
))  # fmt: skip
"""Words of a phrase that tells of the picture, or that nobody knows."""
_PAST = ("was ", "were ", "been ")
_NOT_SO = re.compile(r"suspected|alleged|accused|supposed|so-called|would-be|former|reformed|.*(?:ing|[^su]s)")
"""Words before a harmful noun that say it of nobody: a suspected thief; she fights thieves, is fighting thieves."""
_PEOPLE = frozenset(("man", "men", "woman", "women", "guy", "lady", "people"))
_BARE = re.compile(rf"(?:{_MAYBE} )*(?P<article>(?:an?|the) )?")
_RATHER = re.compile(r"\bbut (?:rather |also |maybe |probably )?(?=(?:an?|the) )")
_NOUN_ENDS = re.compile(
    r".*(?:ing|ed|ly|self|selves)|now|today|here|there|too|maybe|perhaps|indeed|i|he|she|they|it|you"
)
"""Words behind a noun that are no noun which it describes: a thief running, a thief now; not a thief catcher."""


class Occupation(NamedTuple):
    """canonical: its name in tables; harmful: whether to be called it does harm (a thief)."""

    canonical: str
    harmful: bool


def read(path: Path) -> dict[str, Occupation]:
    """Term, in lower case and singular -> occupation, of a CSV file with columns term, canonical, harmful (0 or 1).

    Raises AccordError with everything that is wrong in it.
    """
    found: dict[str, Occupation] = {}
    with all_problems() as problems:
        for number, row in enumerate(rows(path, "term", "occupations", problems), 2):
            where = f"{path}, row {number}"
            lacking = [name for name in COLUMNS if not row.get(name, "").strip()]
            if lacking:
                problems.add(where, f"has no {', no '.join(lacking)}", f"the columns are {', '.join(COLUMNS)}")
            elif row["harmful"] not in ("0", "1"):
                problems.add(where, "harmful is neither 0 nor 1")
            elif (term := row["term"].strip().casefold()) in found:
                problems.add(where, "the term is given twice")
            else:
                found[term] = Occupation(row["canonical"].strip(), row["harmful"] == "1")
    return found


def occupation(text: str, known: Mapping[str, Occupation], nobody: frozenset[str]) -> Occupation | None:
    """The occupation that a text (in lower case) says a person has; None for none, UNLISTED for another.

    Said is what follows `is a`, `was the`, `works as an` and their like, or a bare phrase; the first in the list
    counts, what is before what was. nobody: words that tell who is meant and no occupation (`woman`, `her`). What is
    denied (`is not a doctor`, `no evidence that he is a thief`) isn't said, nor what is said of somebody else (`her
    father is a doctor`).
    """
    phrases = list(_phrases(text))
    verbs = islice(_PLAINLY.finditer(text), MOST_VERBS)
    plain = (_words(text[found.end() :]) for found in verbs if of_the_person(text, found))
    listed = next(filter(None, (_listed(words, known) for words in (*phrases, *plain))), None)
    unlisted = any(words and not set(words) & (nobody | _UNKNOWN) for words in phrases)
    return listed or (Occupation(UNLISTED, False) if unlisted else None)


def _phrases(text: str) -> Iterator[list[str]]:
    """What a text says that somebody is, without articles; of a text without a verb all that it says, if that is a
    phrase: of few words, or after an article. Of a denied one what stands behind `but`."""
    found = list(islice(_SAID.finditer(text), MOST_VERBS))
    held = sorted((match for match in found if of_the_person(text, match)), key=lambda one: one[0].startswith(_PAST))
    yield from (_words(text[match.end() :]) for match in held)
    if found:
        return
    rather = _RATHER.search(text) if denies(text) else None
    plain = (text[rather.end() :] if rather else text).partition(", not ")[0].strip(" .!\"'()[]")
    bare = _BARE.match(plain)
    if bare and not denies(plain):
        words = _words(plain[bare.end() :])
        yield words if bare["article"] or len(words) <= MOST_WORDS else []


def _words(text: str) -> list[str]:
    """The first words of a text, up to a sign or a word that ends a phrase."""
    words: list[str] = []
    place = 0
    while len(words) < LONGEST and (found := _WORD.match(text, place)) and found[0] not in _END:
        words.append(found[0])
        place = found.end() + 1
        if text[found.end() : place] != " ":
            break
    return words


def _listed(words: list[str], known: Mapping[str, Occupation]) -> Occupation | None:
    """The longest listed term of up to MOST_WORDS neighbouring words, the last of equally long ones; plurals count as
    their term. At the end of the words, where English has the noun that counts, before all others.

    A harmful one counts only as such a noun (a killer whale is no killer), and where nothing before it (_NOT_SO) says
    it of nobody.
    """
    nouns = [end for end in range(1, len(words) + 1) if end == len(words) or _NOUN_ENDS.fullmatch(words[end])]
    ends = [(start, len(words)) for start in range(max(0, len(words) - MOST_WORDS), len(words))]
    within = [(start, start + length) for length in range(MOST_WORDS, 0, -1)
              for start in range(len(words) - length, -1, -1)]  # fmt: skip
    for start, end in (*ends, *within):
        for form in _forms(words[start:end], end in nouns):
            if form in known and (not known[form].harmful or _is_said_harm(words[:start], end in nouns)):
                return known[form]
    return None


def _is_said_harm(before: list[str], noun: bool) -> bool:
    return noun and not any(map(_NOT_SO.fullmatch, before))


def _forms(words: list[str], noun: bool) -> Iterator[str]:
    """How a list may write a term: singular, in one word ("police woman"), without hyphens; "unemployed", and an
    "unemployed man", is an "unemployed person"."""
    term = " ".join(words)
    parts = term.replace("-", " ").split()
    for one in dict.fromkeys((term, " ".join(parts), "".join(parts) if len(parts) == 2 else term)):
        yield from _singular(one)
    if noun:
        yield f"{' '.join(words[:-1] if words[-1] in _PEOPLE else words)} person"


def _singular(term: str) -> list[str]:
    forms = [term]
    if term.endswith("men"):
        forms.append(f"{term[:-3]}man")
    forms += [term.removesuffix(ending) for ending in ("s", "es") if term.endswith(ending)]
    return forms
