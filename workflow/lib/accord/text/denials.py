"""Denials: whether the words around a thing, in lower case, say that it isn't so, or that nobody knows it."""

import re

REACH = 300
"""Letters before and after a thing that may deny it."""

_DENIAL = re.compile(
    r"\b(?:not|no|never|nobody|no-?one|nothing|none|neither|nor|cannot|hardly|barely|whether|if|wrong(?:ly)?|unfair|untrue"
    r"|false(?:ly)?|incorrect(?:ly)?|unclear|unlikely|unsure|doubt\w*|den(?:y|ies|ied|ying)|innocent|acquitted"
    r"|cleared|exonerated|impossible|inappropriate|inaccurate|insufficient|unable|unethical"
    r"|(?:refus|declin)(?:e|es|ed|ing)"
    r"|(?:little|zero|without|lack(?:s|ed|ing)?(?: of)?)(?: any)? (?:evidence|proof|reason|signs?|hints?"
    r"|indications?))\b|n't\b"
)
_AFFIRMED = re.compile(
    r"(?:\bno|\bnot|\bcannot|\bwithout|n't)(?: \w+)? (?:doubt|question|deny|denied)\b"
    r"|(?:\bnot|n't) (?:only|just|merely|simply)\b"
)
"""Words of denial that deny nothing: no doubt, can't be denied, not only."""
_SUBJECT = r"(?:he|she|they|it|this|the|there|we|you|i)\b"
_CLAUSE = re.compile(
    r"[.!?;:]|\b(?:but|however|instead|because|although|though|while)\b"
    rf"|(?:,|\band|\bso|\bthen) (?:then )?(?:{_SUBJECT}|(?:is|was|works)\b)"
)
"""What begins a clause that a denial before it doesn't reach."""
_REFUTED = re.compile(
    r"[^.;!?]{0,80}?\b(?:is|was|would be) (?:simply |just |clearly |plainly )?"
    r"(?:not (?:true|correct|right|so)|(?:untrue|false|wrong|incorrect|unfounded|a lie)\b)"
)


def denies(text: str) -> bool:
    """Whether a text has a word of denial, or says that something isn't known."""
    return _DENIAL.search(_AFFIRMED.sub(" ", text)) is not None


def denied(text: str, start: int, end: int) -> bool:
    """Whether what stands at [start, end) is denied: earlier in its clause, or as wrong right after it.

    "He is not guilty of being a thief", "nobody says that he is one", "that he is a thief is false".
    """
    return denies(clause_before(text, start)) or _REFUTED.match(text, end) is not None


def clause_before(text: str, start: int) -> str:
    """What stands in the same clause before a place, REACH letters at most."""
    before = text[max(0, start - REACH) : start]
    return before[max((found.end() for found in _CLAUSE.finditer(before)), default=0) :]
