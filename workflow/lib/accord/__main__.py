"""`accord COMMAND ...`, or `accord room.step ...`: any command or step, alone."""

import sys

from accord import cli
from accord.errors import AccordError

BAD_INPUT = 2


def main() -> None:
    """Run what the command line says. Exits with 2 and a clear message where the input is bad."""
    try:
        sys.exit(cli.main(sys.argv[1:]))
    except AccordError as error:
        print(f"accord: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main()
