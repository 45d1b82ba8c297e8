"""The tables of docs/commands.md: the commands as their parsers have them. Run alone, it writes them anew."""

import re
from pathlib import Path

from accord import commands
from accord.command_line import Parser

DOCS = Path(__file__).parents[2] / "docs/commands.md"
BETWEEN = re.compile(r"(?<=<!-- begin: python tests/house/commands_table\.py -->\n).*?(?=<!-- end -->)", re.S)
HEAD = "| command | description | actions | `--json` | `--config` |\n|---|---|---|---|---|"


def having(parser: Parser, flag: str) -> str:
    """Which actions of a command have a flag: `all`, their names, or nothing; `yes` for a command without actions."""
    below = actions(parser)
    if not below:
        return "yes" if flag in parser.flags() else ""
    names = [name for name, one in below.items() if flag in one.flags()]
    return "all" if len(names) == len(below) else ", ".join(names)


def actions(parser: Parser) -> dict[str, Parser]:
    """Name of an action -> its parser; {} for a command without actions."""
    return {name: one for action in parser.subparsers() for name, one in action.choices.items()}


def row(command: commands.Command) -> str:
    """The line of a command."""
    parser = commands.parser(command.name)
    cells = [f"`{command.name}`", command.line, ", ".join(actions(parser))]
    return f"| {' | '.join([*cells, having(parser, '--json'), having(parser, '--config')])} |"


def tables() -> str:
    """A table for each group."""
    return "\n".join(f"### {title}\n\n{HEAD}\n" + "".join(f"{row(one)}\n" for one in of)
                     for title, of in commands.GROUPS.items())  # fmt: skip


def written(text: str) -> str:
    """A text with the tables as they must be."""
    return BETWEEN.sub(lambda _: tables(), text)


if __name__ == "__main__":
    DOCS.write_text(written(DOCS.read_text()))
