"""Classes of people as labels of a network that names WordNet's nouns: which of its outputs stand for which class."""

import csv
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem

COLUMNS = ("class", "synset", "name", "note")
SYNSET = re.compile(r"n\d{8}")
HINT = "facet_wordnet.csv, beside the adapter transformers_classes, is an example"


class Noun(NamedTuple):
    """A noun of WordNet 3.0: its id (n and eight digits), and its words as lists of ImageNet have them: "waiter,
    server"."""

    synset: str
    name: str


class Labels(NamedTuple):
    """outputs: class -> numbers of the network's outputs that stand for it; lacks: class -> why none does."""

    outputs: dict[str, list[int]]
    lacks: dict[str, str]


def read(path: Path) -> dict[str, list[Noun]]:
    """Class -> its nouns, in the order of the file; none where a row of a class has no synset.

    Raises AccordError with all that is wrong.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, strict=True)
        if tuple(rows.fieldnames or ()) != COLUMNS:
            raise AccordError(Problem(path.name, f"hasn't the columns {', '.join(COLUMNS)}", HINT))
        told = [(f"{path.name}, line {rows.line_num}", row) for row in rows]
    found: dict[str, list[Noun]] = {}
    problems = []
    for where, row in told:
        nouns = found.setdefault(row["class"] or "", [])
        if row["synset"] and not SYNSET.fullmatch(row["synset"]):
            problems.append(Problem(where, "its synset isn't n and eight digits", HINT))
        elif not row["class"] or None in row.values() or None in row:
            problems.append(Problem(where, "has no class, or other cells than columns", HINT))
        elif row["synset"]:
            nouns.append(Noun(row["synset"], row["name"]))
    synsets = [noun.synset for nouns in found.values() for noun in nouns]
    twice = sorted({one for one in synsets if synsets.count(one) > 1})
    problems += [Problem(path.name, f"has {one} twice: an output stands for one class", HINT) for one in twice]
    if problems:
        raise AccordError(problems)
    return found


def matched(classes: Mapping[str, list[Noun]], labels: Mapping[int, str]) -> Labels:
    """Which outputs stand for which class. labels: what a network calls its outputs, by number: a synset's id, alone or
    beside words, or all its words, or the first of them.

    Words that several outputs are called by stand for none: one of ImageNet's two soldiers is an ant.
    """
    by_label: dict[str, list[int]] = {}
    for number, label in sorted(labels.items()):
        synset = SYNSET.search(label)
        by_label.setdefault(synset[0] if synset else _plain(label), []).append(number)
    outputs, lacks = {}, {}
    for name, nouns in classes.items():
        each = [_of_noun(noun, by_label) for noun in nouns]
        if clear := sorted(numbers[0] for numbers in each if len(numbers) == 1):
            outputs[name] = clear
        else:
            lacks[name] = _why(name, nouns, each)
    return Labels(outputs, lacks)


def _of_noun(noun: Noun, by_label: Mapping[str, list[int]]) -> list[int]:
    words = (_plain(noun.name), _plain(noun.name.split(",")[0]))
    return next((by_label[key] for key in (noun.synset, *words) if key in by_label), [])


def _plain(label: str) -> str:
    return " ".join(label.replace("_", " ").casefold().split())


def _why(name: str, nouns: list[Noun], each: list[list[int]]) -> str:
    if not nouns:
        return f"the class {name} has no WordNet name"
    if several := [len(numbers) for numbers in each if numbers]:
        return f"{max(several)} labels of the model are called {_plain(nouns[0].name)}: which one is meant is unknown"
    return f"the model has no label for the class {name} ({', '.join(noun.synset for noun in nouns)})"
