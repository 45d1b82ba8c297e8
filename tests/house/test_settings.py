"""The table of settings: each key once, in the schema's order, with its type, its default and what it means."""

import pytest
import yaml
from settings_table import CONFIG, README, default, kind, meanings, settings, table, written

SCHEMA = {
    "properties": {
        "shards": {"description": "how many", "type": "integer", "minimum": 1, "maximum": 256},
        "room": {
            "type": "object",
            "properties": {"list": {"description": "which", "type": "array", "items": {"type": "string"}}},
        },
    }
}


def test_the_readme_has_each_key_once_with_type_default_and_meaning():
    """Where it doesn't, `python tests/house/settings_table.py` writes the table anew."""
    told = README.read_text()
    assert told == written(told)
    schema = yaml.safe_load((CONFIG.parent / "workflow/schemas/config.schema.yaml").read_text())
    rows = [line for line in told.splitlines() if line.startswith("| `")]
    assert len(rows) == len(settings(schema)) > 100
    assert all(len(line.strip("| ").split(" | ")) == 4 and all(line.strip("| ").split(" | ")) for line in rows)


def test_a_table_by_hand():
    assert table(SCHEMA, {"shards": 4, "room": {"list": ["a"]}}, {"shards": "As it was said"}) == [
        "| key | type | default | meaning |",
        "|---|---|---|---|",
        "| `shards` | integer from 1 to 256 | 4 | As it was said |",
        "| `room/list` | list of text | [a] | Which |",
    ]


def test_a_table_that_breaks_off_is_one_again():
    told = README.read_text()
    lines = told.splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if "`checks/sample`" in line)
    broken = "".join([*lines[:at], "\n", lines[at], "\n", *lines[at + 1 :], lines[at]])
    again = [line for line in written(broken).splitlines() if line.startswith("|")]
    assert again == [line for line in told.splitlines() if line.startswith("|")]


@pytest.mark.parametrize(
    ("node", "said"),
    [({"type": "boolean"}, "true or false"), ({"enum": ["hold", "drop", "pass"]}, "hold, drop or pass"),
     ({"type": ["string", "null"]}, "text or null"),
     ({"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "number over 0 to 1"),
     ({"type": "array", "items": {"type": "object"}}, "list"), ({"type": "object"}, "mapping"),
     ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer or null")],
)  # fmt: skip
def test_types_in_words(node, said):
    assert kind(node) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(None, "null"), (True, "true"), ([12.0, 16.0], "[12.0, 16.0]"), ("", "''"), ({"a": "b"}, "{a: b}"),
     (["a" * 40, "b" * 40], "2 entries"), ("a" * 99, "a text"),
     (dict.fromkeys("abcdefghijklm", "hold"), "hold for all")],
)  # fmt: skip
def test_defaults_in_one_line(value, said):
    assert default(value) == said


def test_meanings_are_those_that_were_written():
    assert meanings("| key | x |\n| `a` | integer | 1 | What it is |\n| `b/c` | What |\n") == {
        "a": "What it is", "b/c": "What",
    }  # fmt: skip
