"""`accord COMMAND ...`, or `accord room.step ...`: any command or step, alone."""

import os
import sys
from collections.abc import Callable

from accord import cli
from accord.command_line import STOPPED, UNUSABLE
from accord.engine import memory
from accord.errors import AccordError
from accord.models import extras


def main() -> None:
    """Run what the command line says, and exit."""
    memory.keep_freed()
    run(cli.main)


def run(command: Callable[[list[str]], int]) -> None:
    """Exit with the code of a command that is given the command line; with 2 and a message where the input is bad."""
    try:
        sys.exit(command(sys.argv[1:]))
    except AccordError as error:
        print(f"accord: {error}", file=sys.stderr)
        sys.exit(UNUSABLE)
    except ModuleNotFoundError as error:
        hint = extras.hint(error.name or "")
        if not hint:
            raise
        print(f"accord: needs the package {error.name}, which is not installed: {hint}", file=sys.stderr)
        sys.exit(UNUSABLE)
    except KeyboardInterrupt:
        sys.exit(STOPPED)
    except BrokenPipeError:  # who reads has seen enough: `accord steps | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(UNUSABLE)


if __name__ == "__main__":
    main()
