"""Probes: the prompts that pictures are held against, and the labels that they stand for. Imported by the workflow."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from accord.command_line import meant
from accord.engine import config_mistakes, resources, yaml_files, yaml_text
from accord.errors import AccordError, Problem
from accord.text.nouns import listed
from accord.vocabularies import ATTRIBUTES, PERSON

PRONOUN = "pronoun"
"""The attribute of which a wrong label is misgendering."""
HINT = "see config/probes.yaml as shipped; docs/foundation.md describes it"


class Label(NamedTuple):
    """What a picture can be called: its name, the values of the truth that it counts as, its prompts."""

    name: str
    counts_as: tuple[str, ...]
    prompts: tuple[str, ...]


class Probe(NamedTuple):
    """A question: truth is the attribute that answers it, None where nothing does; labels in the order of the file."""

    name: str
    truth: str | None
    labels: tuple[Label, ...]

    @property
    def is_of_person(self) -> bool:
        """Whether the truth is said of a person, not of the picture: then only pictures of one person are read."""
        return self.truth is not None and ATTRIBUTES[self.truth].of == PERSON


def read(path: Path) -> tuple[Probe, ...]:
    """The probes of a file, in its order. Raises AccordError with everything that is wrong in it."""
    document = yaml_files.keys(path, "list of probes", HINT)
    rules = yaml_text.said(resources.schema("probes.schema.yaml").read_text())
    found = config_mistakes.against(document, rules, "list of probes", HINT)
    found = found or [*_ambiguous(document), *(one for name, probe in document.items() for one in _wrong(name, probe))]
    if found:
        raise AccordError(Problem(f"{path.name}: {one.where}", one.what, one.hint) for one in found)
    return tuple(_probe(name, told) for name, told in document.items())


def _probe(name: str, told: dict[str, Any]) -> Probe:
    labels = [Label(label, tuple(of["counts_as"]), tuple(of["prompts"])) for label, of in told["labels"].items()]
    return Probe(name, told["truth"], tuple(labels))


def _ambiguous(document: dict[str, Any]) -> Iterator[Problem]:
    """What two probes share: figures are named by labels, and misgendering is one figure."""
    labels = Counter(label for told in document.values() for label in told["labels"])
    for name, told in document.items():
        for label in told["labels"]:
            if labels[label] > 1:
                yield Problem(f"{name}.labels.{label}", "is a label of two probes", "figures are named by labels")
    of_pronouns = [name for name, told in document.items() if told["truth"] == PRONOUN]
    for name in of_pronouns[1:]:
        yield Problem(f"{name}.truth", f"is the truth of {of_pronouns[0]}, too", "one probe can have pronouns")


def _wrong(name: str, told: dict[str, Any]) -> Iterator[Problem]:
    """What no schema can say: prompts that come twice, a truth that isn't one, values that it doesn't have."""
    labels = told["labels"]
    prompts = Counter(_plain(prompt) for label in labels.values() for prompt in label["prompts"])
    for label, of in labels.items():
        for place, prompt in enumerate(of["prompts"]):
            if prompts[_plain(prompt)] > 1:
                where = f"{name}.labels.{label}.prompts.{place}"
                yield Problem(where, "is a prompt of this probe more than once", "a prompt stands for one label")
    truth = told["truth"]
    known = [one.name for one in ATTRIBUTES.values() if one.public and one.labels]
    if truth is not None and truth not in known:
        what = f"is not an attribute with a list of values{meant(truth, known)}"
        yield Problem(f"{name}.truth", what, f"it is null, or {listed(known, 'or')}")
        return
    yield from _wrong_values(name, labels, ATTRIBUTES[truth].labels if truth else ())


def _wrong_values(name: str, labels: dict[str, Any], values: tuple[str, ...]) -> Iterator[Problem]:
    counted = Counter(value for label in labels.values() for value in label["counts_as"])
    for label, of in labels.items():
        where = f"{name}.labels.{label}.counts_as"
        for value in of["counts_as"]:
            if value not in values:
                hint = "write values as deliveries do, with their number" if values else "name the truth, or write []"
                yield Problem(where, f"{value!r} is not a value of the truth{meant(value, values)}", hint)
            elif counted[value] > 1:
                yield Problem(where, f"{value!r} counts as two labels", "a value makes one label right")


def _plain(prompt: str) -> str:
    return " ".join(prompt.casefold().split())
