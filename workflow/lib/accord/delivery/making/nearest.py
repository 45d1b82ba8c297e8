"""The nearest of the values that could stand somewhere: what whoever wrote another one may have meant."""

import re
from collections.abc import Iterable

from accord.text.references import skeleton

LEAST = 65.0
"""Similarity (normalised indel, 0 to 100) from which on a label is proposed."""
MOST = 5_000
LONGEST = 200


def nearest(value: str, labels: Iterable[str]) -> str:
    """The label that a value most likely means; "" where none is near.

    Tried in this order: the same but for case and lookalikes; its number or its text alone (`1`, `He/him/his` for
    `1. He/him/his`); the only one with that word (`she`); the most similar.
    """
    from rapidfuzz import fuzz, process

    known = [label for label in list(labels)[:MOST] if label and label != value]
    wanted = skeleton(value[:LONGEST])
    if not wanted or not known:
        return ""
    forms = {form: label for label in reversed(known) for form in _forms(label)}
    if wanted in forms:
        return forms[wanted]
    having = {label for label in known if wanted in re.findall(r"\w+", skeleton(label))}
    if len(having) == 1:
        return having.pop()
    found = process.extractOne(wanted, forms.keys(), scorer=fuzz.ratio, score_cutoff=LEAST)
    return forms[found[0]] if found else ""


def _forms(label: str) -> list[str]:
    """What stands for a label: itself, and the number and the text of one that is numbered."""
    number, dot, text = label.partition(". ")
    parts = (number, text) if dot and number.isdigit() else ()
    return [skeleton(form) for form in (*parts, label)]
