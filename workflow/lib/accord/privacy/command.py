"""`accord privacy metadata FOLDER ...`: hold released pictures against two readers of metadata, ours and ExifTool, and
released videos against ours."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from accord import command_line, commands
from accord.errors import AccordError, Problem
from accord.privacy.proof import independent, metadata
from accord.privacy.videos import container
from accord.text.nouns import counted

ENDINGS, VIDEOS = (".png", ".jpg", ".jpeg"), (".mp4",)
CLAIM = "chunk caBX"
HELP = {"metadata": "search pictures for content other than pixels"}


def main(argv: list[str]) -> int:
    """Returns 0 where nothing is found. Raises AccordError with all that is found, or where ExifTool is missing."""
    chosen = parser().parse_args(argv)
    files, videos = (sorted(_files(chosen.folders, endings)) for endings in (ENDINGS, VIDEOS))
    if not files:
        raise AccordError(Problem(", ".join(map(str, chosen.folders)), "no pictures found", "give a release"))
    problems = [*_ours(files), *_theirs(files), *_of_videos(videos)]
    if problems:
        raise AccordError(problems)
    told = f"{len(files)} pictures contain only pixels, confirmed by two readers"
    told += f"\n{counted(len(videos), 'video')} found to hold pictures alone, by Accord's reader" if videos else ""
    found = {"pictures": len(files), "readers": ["accord", "ExifTool"], "videos": len(videos)}
    command_line.say(found, told, chosen)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("privacy", "Pictures are read with Accord's own reader and ExifTool.")
    action = command_line.actions(made, HELP)["metadata"]
    action.add_argument("folders", nargs="+", type=Path, help="pictures, or folders with pictures")
    command_line.json_flag(action)
    return made


def _files(folders: list[Path], endings: tuple[str, ...]) -> Iterator[Path]:
    for folder in folders:
        inside = folder.rglob("*") if folder.is_dir() else [folder]
        yield from (file for file in inside if file.suffix.lower() in endings and file.is_file())


def _ours(files: list[Path]) -> Iterator[Problem]:
    """A claim that says that a picture was painted is no metadata of the photograph."""
    for file in files:
        found = [what for what in metadata.violations(file.read_bytes()) if not what.startswith(CLAIM)]
        yield from (Problem(str(file), what, metadata.HINT) for what in found)


def _of_videos(files: list[Path]) -> Iterator[Problem]:
    for file in files:
        yield from (Problem(str(file), what, metadata.HINT) for what in container.violations(file))


def _theirs(files: list[Path]) -> Iterator[Problem]:
    for file, tags in independent.unexpected(files).items():
        yield Problem(str(file), f"ExifTool finds {', '.join(tags)}", metadata.HINT)
