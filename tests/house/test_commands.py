"""docs/commands.md has each command once, as its parser has it; flags that all share mean the same everywhere."""

from pathlib import Path

from commands_table import DOCS, actions, written

from accord import command_line, commands

SETTINGS_FOLDERS = {"--vault", "--results", "--releases"}
WITHOUT_A_PROJECT = {"release diff"}
"""Compares folders wherever they lie; a vault is named where there is one."""


def parsers():
    for name in commands.BY_NAME:
        parser = commands.parser(name)
        yield from ((f"{name} {action}", one) for action, one in actions(parser).items())
        if not actions(parser):
            yield name, parser


def test_the_docs_have_each_command_as_its_parser_has_it():
    """Where they don't, `python tests/house/commands_table.py` writes them anew."""
    told = DOCS.read_text()
    assert told == written(told)
    assert [line.split("`")[1] for line in told.splitlines() if line.startswith("| `")] == list(commands.BY_NAME)


def test_config_is_everywhere_the_same_flag():
    found = {name: parser.flags()["--config"] for name, parser in parsers() if "--config" in parser.flags()}
    assert {"scan", "audit", "usage", "summary", "estimate show", "outputs export"} <= set(found)
    for flag in found.values():
        assert (flag.nargs, flag.default, flag.type, flag.metavar) == ("+", [], Path, "FILE")
        assert flag.help.startswith(command_line.CONFIG)


def test_who_takes_a_folder_of_the_project_takes_its_configuration():
    for name, parser in parsers():
        named = SETTINGS_FOLDERS & set(parser.flags())
        assert not named or name in WITHOUT_A_PROJECT or "--config" in parser.flags(), name
        assert all(parser.flags()[flag].default is None for flag in named), name


def test_json_is_everywhere_the_same_flag():
    found = {name: parser.flags()["--json"] for name, parser in parsers() if "--json" in parser.flags()}
    wanted = {"scan", "audit", "summary", "compare", "numbers check", "usage", "release verify", "delivery validate"}
    wanted |= {"consent verify", "review verify", "backup verify", "backup list", "safety status", "weights list"}
    assert wanted <= set(found)
    assert {flag.help for flag in found.values()} == {"print one JSON document"}
