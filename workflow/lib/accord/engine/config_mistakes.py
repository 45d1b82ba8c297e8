"""All that is wrong with a configuration, held against its schema, in plain words. Values are never quoted."""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from accord.command_line import meant
from accord.engine import resources, yaml_text
from accord.errors import AccordError, Problem
from accord.text.nouns import listed

SCHEMA = resources.schema("config.schema.yaml")
README = "see config/README.md for all keys"
KINDS = {
    "object": "a map of keys",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
"""A type of JSON Schema as people call it."""

DASH = "must not begin with a dash, which commands read as a flag: rename it, or prefix it with ./"
WILDCARDS, BRACES = frozenset("{}"), "must not have braces in it, which Snakemake takes for wildcards: rename it"
RULES = {
    "minimum": "must be at least {}",
    "maximum": "must be at most {}",
    "exclusiveMinimum": "must be more than {}",
    "exclusiveMaximum": "must be less than {}",
    "minProperties": "must have at least {} key",
    "minItems": "must have at least {} in its list",
    "maxItems": "must have at most {} in its list",
    "minLength": "must not be empty",
    "uniqueItems": "lists something more than once",
    "pattern": "must match the pattern {}",
    "format": DASH,
}
"""A keyword of JSON Schema -> what a value must be, with the keyword's own value."""

PATH = "path"
"""The format of names of files and folders, which are given to commands."""

REPLACED = {
    "release.fhibe": (
        "was replaced by release.archive",
        "write archive: {format: fhibe, path: ...} under release, or archive: null for none",
    ),
}
"""A key of earlier versions -> what became of it, and what to write now."""

MISSPELT = 0.85
"""Likeness from which on a guest's own key at the top is taken for one of Accord's: `analyze`, not `name` or `mine`."""


def refuse(config: dict[str, Any], partial: bool = False, own: bool = False) -> None:
    """Raise AccordError with every mistake in a configuration; arguments as `mistakes` has them."""
    if found := mistakes(config, partial, own):
        raise AccordError(found)


def mistakes(config: dict[str, Any], partial: bool = False, own: bool = False) -> list[Problem]:
    """Every mistake in a configuration, in the order of the places.

    partial: keys may be missing; own: keys at the top that resemble none of Accord's are somebody else's.
    """
    return against(config, _rules(SCHEMA.read_text()), "configuration", README, partial=partial, own=own)


@lru_cache(maxsize=2)
def _rules(text: str) -> dict[str, Any]:
    """The JSON Schema of configurations, read once: who audits or starts a run asks for it several times."""
    return yaml_text.said(text)


def against(
    document: Any, schema: dict[str, Any], kind: str, hint: str, partial: bool = False, own: bool = False
) -> list[Problem]:
    """Every mistake in what people wrote, by its JSON Schema, in the order of the places.

    kind: what the whole is called, where the whole is wrong; hint: where the schema describes nothing; partial, own: as
    `mistakes` has them.
    """
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.validators import extend

    # JSON Schema takes 1e3 for a whole number, and Python's functions don't.
    kinds = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    validator = extend(Draft202012Validator, type_checker=kinds)
    forms = FormatChecker(formats=())
    forms.checks(PATH)(lambda value: not str(value).startswith("-") and not WILDCARDS & set(str(value)))
    found = {
        problem
        for error in validator(schema, format_checker=forms).iter_errors(document)
        if not (partial and error.validator == "required")
        for problem in _problems(error, own)
    } | {Problem(where, "must be a finite number") for where in _unlimited(document)}
    return sorted(Problem(one.where or kind, one.what, one.hint or hint) for one in found)


def _problems(error: Any, own: bool) -> Iterator[Problem]:
    """The problems behind one error; a place or a hint is empty where none is known."""
    path = [str(part) for part in error.absolute_path]
    if "propertyNames" in error.schema_path:
        known = error.validator_value if error.validator == "enum" else []
        yield Problem(".".join([*path, str(error.instance)]), f"{_wrong_name(error)}{meant(error.instance, known)}")
    elif error.validator == "additionalProperties":
        yield from _unknown(path, error, own and not path)
    elif error.validator in ("required", "dependentRequired"):
        yield from _missing(path, error)
    elif error.validator == "not":
        both = listed(error.validator_value["required"], "and")
        yield Problem(".".join(path), f"can't have {both} together: remove one")
    else:
        yield Problem(".".join(path), _wrong(error), _described(error.schema))


def _unlimited(document: Any, *path: str) -> Iterator[str]:
    """Places of numbers that are infinite or none (`.inf`, `.nan`), which no limit of a schema refuses."""
    if isinstance(document, float) and not math.isfinite(document):
        yield ".".join(path)
    parts = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, part in parts:
        yield from _unlimited(part, *path, str(key))


def _missing(path: list[str], error: Any) -> Iterator[Problem]:
    told = error.validator_value
    wanted = told if error.validator == "required" else [n for of in error.instance for n in told.get(of, [])]
    for name in wanted:
        if name not in error.instance:
            yield Problem(".".join([*path, name]), "is missing", _about(error.schema, name))


def _wrong_name(error: Any) -> str:
    return "unknown key here" if error.validator == "enum" else f"not a valid name: {_wrong(error)}"


def _unknown(path: list[str], error: Any, own: bool) -> Iterator[Problem]:
    known = error.schema["properties"]
    for name in error.instance:
        near = meant(name, known, MISSPELT) if own else meant(name, known)
        place = ".".join([*path, str(name)])
        if place in REPLACED:
            yield Problem(place, *REPLACED[place])
        elif name not in known and (near or not own):
            yield Problem(place, f"unknown key{near}")


def _wrong(error: Any) -> str:
    told = error.validator_value
    if error.validator == "type":
        kinds = [KINDS[kind] for kind in ([told] if isinstance(told, str) else told)]
        return f"must be {listed(kinds, 'or')}"
    if error.validator == "enum":
        return f"must be {listed(list(map(str, told)), 'or')}{meant(error.instance, map(str, told))}"
    if error.validator == "format" and not str(error.instance).startswith("-"):
        return BRACES
    return RULES.get(error.validator, "has an invalid form").format(told)


def _about(schema: dict[str, Any], name: str) -> str:
    return _described(schema.get("properties", {}).get(name, {}))


def _described(schema: dict[str, Any]) -> str:
    """What a key is, as the schema has it, if it does; its items have no description of their own."""
    return schema.get("description", "")
