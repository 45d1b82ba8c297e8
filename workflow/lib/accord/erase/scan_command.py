"""`accord scan`: finds what is left of a person anywhere under the project's folders."""

import argparse
import json
from pathlib import Path
from time import perf_counter

from accord import command_line, commands
from accord.engine import configuration
from accord.errors import AccordError, Problem
from accord.scan import dossier, findings, repository
from accord.scan.dossier import REFERENCE, Dossier
from accord.scan.inspection import Inspector
from accord.scan.limits import Limits
from accord.scan.patterns import searchable
from accord.scan.progress import Progress, on_stderr
from accord.scan.walk import walk

NOTHING, LEFT, INCOMPLETE = command_line.DONE, command_line.FAILED, command_line.OPEN
CODES = "Exit code: 0 nothing is left, 1 something is, 3 nothing was found, but not everything could be searched."
FOLDERS = ("results", "releases", "vault", "logs", ".snakemake")
DEFAULTS = Limits()
COLUMNS = ("place", "inside", "kind", "how", "score", "count", "inode")


def main(argv: list[str]) -> int:
    """List what is left. Exit code: 0 nothing, 1 something, 3 nothing was found, but not all could be searched."""
    flags = parser().parse_args(argv)
    config = configuration.read(configuration.used(flags.config))
    flags.results, flags.vault, flags.logs, flags.releases = (
        configuration.folder(config, name, getattr(flags, name, None))
        for name in ("results", "vault", "logs", "releases")
    )
    known = _dossier(flags)
    if flags.keep_dossier:
        dossier.save(known, flags.keep_dossier, flags.vault)
        command_line.say({"kept": known.counts()}, f"saved in the vault: {_told(known)}", flags)
        return NOTHING
    progress = Progress(on_stderr("scan"))
    inspector = Inspector(known, Limits(seconds=flags.seconds, depth=flags.depth), progress.thing)
    start = perf_counter()
    left_out = frozenset(path.resolve() for path in (flags.dossier,) if path)
    files = walk(_folders(flags), inspector, left_out, progress)
    document = _document(inspector, known, files)
    seconds = perf_counter() - start
    print(json.dumps(document, indent=1) if flags.json else _text(document, seconds))
    return LEFT if document["findings"] else INCOMPLETE if document["gaps"] else NOTHING


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = commands.begun("scan", CODES)
    parser.add_argument("--vendor", required=True, help="the vendor's name, as in delivery.yaml")
    parser.add_argument("--subject", required=True, help="the vendor's reference of the person")
    parser.add_argument("--results", type=Path, help="results folder to make the dossier from (default: as configured)")
    parser.add_argument("--vault", type=Path, help="vault folder (default: as configured)")
    command_line.config_flag(parser)
    parser.add_argument("--dossier", type=Path, help="a saved dossier (default: make one from --results)")
    parser.add_argument(
        "--keep-dossier", type=Path, metavar="FILE", help="only make the dossier and save it in the vault"
    )
    parser.add_argument(
        "--in",
        dest="folders",
        type=Path,
        nargs="+",
        metavar="FOLDER",
        help="folders to search (default: those of the project)",
    )
    parser.add_argument(
        "--seconds", type=float, default=0, help="stop opening files after this time (default: no limit)"
    )
    parser.add_argument(
        "--depth",
        type=int,
        default=DEFAULTS.depth,
        help=f"levels of nested containers to open (default: {DEFAULTS.depth})",
    )
    command_line.json_flag(parser)
    return parser


def _dossier(flags: argparse.Namespace) -> Dossier:
    if flags.dossier:
        return dossier.load(flags.dossier)
    from accord.erase.dossiers.collect import collect

    return collect(flags.results, flags.vault, flags.vendor, flags.subject)


def _folders(flags: argparse.Namespace) -> list[Path]:
    """The folders that were named, or those of the project that are there, and its repository."""
    named = flags.folders or []
    missing = [folder for folder in named if not folder.exists()]
    if missing:
        raise AccordError([Problem("--in", f"folder {named.index(folder) + 1} does not exist") for folder in missing])
    if named:
        return named
    usual = [flags.results, flags.vault, flags.releases, flags.logs, *(Path(name) for name in FOLDERS)]
    git = repository.enclosing(Path())
    return [*dict.fromkeys(folder for folder in usual if folder.exists()), *([git] if git else [])]


def _document(inspector: Inspector, known: Dossier, files: int) -> dict:
    """All that may be shown of a scan."""
    gaps = [(findings.masked(gap.place.path, inspector.searcher), gap) for gap in inspector.gaps]
    return {
        "findings": findings.rows(inspector.findings, inspector.searcher),
        "gaps": sorted(
            {
                (place, findings.masked(" > ".join(gap.place.inside), inspector.searcher), gap.reason)
                for place, gap in gaps
            }
        ),
        "looked_for": known.counts(),
        "too_short": sum(not searchable(value) for value in known.values if value.kind == REFERENCE),
        "files": files,
        "bytes": inspector.bytes,
    }


def _told(known: Dossier) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in known.counts().items() if count)


def _text(document: dict, seconds: float) -> str:
    """A page: what was looked for, a row per finding, what could not be looked into, and the verdict."""
    rows = [COLUMNS, *(tuple(str(row[name]) for name in COLUMNS) for row in document["findings"])]
    widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    gaps = [f"not searched: {place} {inside} ({reason})" for place, inside, reason in document["gaps"]]
    short = document["too_short"]
    notes = [f"{short} reference(s) too short to search for"] if short else []
    size = f"{document['files']} files, {document['bytes'] / 1e9:.3f} GB searched in {seconds:.1f} s"
    left = len(document["findings"])
    verdict = f"{left} kinds of traces are left" if left else "nothing was found"
    return "\n".join([*(table if left else []), *gaps, *notes, f"{size}: {verdict}, {len(gaps)} gaps"])
