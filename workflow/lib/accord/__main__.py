"""`accord COMMAND ...`, or `accord room.step ...`: any command or step, alone."""

import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable

from accord.engine import argument_files, fork_server

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
LOCKED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY)


def main() -> None:
    """Run what the command line says, in a process of the run's fork server where there is one, and exit."""
    sys.argv[1:] = argument_files.read(sys.argv[1:])
    code = fork_server.hand_over(sys.argv[1:])
    if code is not None:
        sys.exit(code)
    # All else is imported where it is needed: nothing of it is for a command that was handed over.
    from accord import cli
    from accord.engine import memory

    memory.keep_freed()
    memory.collect_seldom()
    run(cli.main)


def run(command: Callable[[list[str]], int]) -> None:
    """Exit with the code of a command that is given the command line; with 2 and a message where the input is bad."""
    from accord.command_line import STOPPED, UNUSABLE
    from accord.errors import AccordError, no_access, no_space
    from accord.models import extras

    for stream in (sys.stdout, sys.stderr):
        # Letters that the terminal's encoding lacks are escaped: a name of somebody must not end a command.
        # A stream whose file another process put in place can't always be asked where it stands: it stays as it is.
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(OSError):
                stream.reconfigure(errors="backslashreplace")
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
    except OSError as error:
        if error.errno not in FULL and not (error.errno in LOCKED and error.filename):
            raise
        said = os.strerror(error.errno)
        problem = no_space(said) if error.errno in FULL else no_access(error.filename, said)
        print(f"accord: {AccordError(problem)}", file=sys.stderr)
        sys.exit(UNUSABLE)


if __name__ == "__main__":
    main()
