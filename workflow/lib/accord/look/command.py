"""`accord look MODEL`: the pictures that a model did worst on, with truth and prediction, in a local browser."""

import argparse
import json
import sys
from pathlib import Path

from accord import command_line, commands
from accord.engine import configuration
from accord.errors import AccordError, Problem
from accord.models import extras

HOST, PORT, MOST = "127.0.0.1", 8766, 200
HIGHEST = 500


def main(argv: list[str]) -> int:
    """Serve the viewer until it is stopped, or print the record of views; returns the exit code."""
    flags = parser().parse_args(argv)
    if flags.views:
        _views(flags)
        return 0
    if not flags.model:
        raise AccordError(Problem("MODEL", "is missing", "give the name of a model of the run, as `accord look yunet`"))
    extras.need("fastapi")
    extras.need("cv2")
    _serve(flags)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun(
        "look",
        "It is served to this machine alone. Consent is checked at each view, every view is recorded in the vault, and "
        "nothing is written elsewhere.",
    )
    made.add_argument("model", nargs="?", default="", help="name of a model of the run")
    made.add_argument(
        "--group",
        action="append",
        default=[],
        help="show only people of this group: ATTRIBUTE=GROUP, or a group's name; repeat it for people of several",
    )
    made.add_argument("--metric", default="", help="metric to sort by (default: the first one of the model's task)")
    made.add_argument("--most", type=int, default=MOST, help=f"number of pictures, at most {HIGHEST} (default: {MOST})")
    made.add_argument("--port", type=int, default=PORT, help=f"port to listen on (default: {PORT})")
    made.add_argument("--views", action="store_true", help="print the record of views instead")
    made.add_argument("--vault", type=Path, help="vault folder (default: as configured)")
    made.add_argument("--results", type=Path, help="results folder (default: as configured)")
    command_line.config_flag(made)
    return made


def _views(flags: argparse.Namespace) -> None:
    from accord.look.views import log
    from accord.review.page import server

    for view in log.views(server.places(flags.config, flags.vault).vault):
        print(json.dumps(view._asdict()))


def _serve(flags: argparse.Namespace) -> None:
    from accord.look.failures import worst
    from accord.look.failures.drawn import Sources
    from accord.look.page import routes
    from accord.look.views.consented import Consented, Settings
    from accord.review.page import server, serving

    if not 0 < flags.port < 65536 or not 0 < flags.most <= HIGHEST:
        hint = f"--port 1 to 65535, --most 1 to {HIGHEST}"
        raise AccordError(Problem("--port or --most", "is out of range", hint))
    at = server.places(flags.config, flags.vault)
    results = flags.results or at.results
    found = worst.find(results, flags.model, flags.metric, flags.group, flags.most)
    said = configuration.section(configuration.read(configuration.used(flags.config)), "consent")
    consented = Consented(at.vault, results, Settings.of(said))
    key, where = routes.new_key(), server.origin(HOST, flags.port, False)._replace(page="look")
    looked = routes.Looked(at.vault, Sources(results, flags.model, found.task), found)

    def ready() -> None:
        _say(f"{len(found.failures)} of {found.scored} scores; open http://{HOST}:{flags.port}/#{key}")
        _say("Ctrl-C stops it. These are pictures of people: what you see stays here.")

    serving.run(routes.create(looked, consented, where, key, _say), serving.Listening(HOST, flags.port), ready)


def _say(line: str) -> None:
    print(f"accord look: {line}", file=sys.stderr, flush=True)
