"""`accord dataset`: the annotation files of public datasets as tables of a release, and datasets side by side."""

import argparse
import importlib
from pathlib import Path

from accord import command_line, commands

ADAPTERS = ("accord", "celebamask_hq", "ccv1", "ccv2", "coco", "facet", "imdb_wiki", "miap", "wider_face")
COMPARE, SCORES = "compare", "scores"
HELP = {
    COMPARE: "compare datasets that were read",
    SCORES: "join a model's scores with the people's attributes",
}


def main(argv: list[str]) -> int:
    """Read a dataset, or compare several that were read. Raises AccordError with all that can't be read."""
    given = parser().parse_args(argv)
    if given.name == SCORES:
        return _join(given.folder, given.scores, given.attributes, given.out)
    if given.name == COMPARE:
        return _compare(given)
    return _read(given.name, given.folder, given.out)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("dataset", "Datasets are read into tables with the columns of a release.")
    of = command_line.actions(made, {**{name: _about(name) for name in ADAPTERS}, **HELP}, dest="name")
    for name in ADAPTERS:
        adapter = of[name]
        adapter.add_argument("folder", type=Path, help="folder of its annotation files (docs/datasets.md)")
        adapter.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the tables")
    both = of[COMPARE]
    both.add_argument("folders", type=Path, nargs="+", metavar="DIR", help="output folders of the datasets to compare")
    both.add_argument("--out", type=Path, metavar="DIR", help="folder for shares and distances")
    command_line.json_flag(both)
    joined = of[SCORES]
    joined.add_argument("folder", type=Path, metavar="DIR", help="output folder of the dataset")
    joined.add_argument(
        "scores", type=Path, help="CSV or Parquet with image, subject (if images show several) and scores"
    )
    joined.add_argument("--attributes", nargs="+", metavar="NAME", help="attributes to include (default: all)")
    joined.add_argument("--out", type=Path, required=True, metavar="FILE", help="output file, .csv or .parquet")
    return made


def _about(name: str) -> str:
    return (importlib.import_module(f"accord.analyse.datasets.archives.{name}").__doc__ or "").strip()


def _read(name: str, folder: Path, out: Path) -> int:
    from accord.analyse.datasets import files

    for line in files.read(name, folder, out):
        print(line)
    return 0


def _compare(given: argparse.Namespace) -> int:
    from accord.analyse.datasets import files

    found, lines = files.compared(given.folders, given.out)
    command_line.say(found, "\n".join(lines), given)
    return 0


def _join(folder: Path, scores: Path, names: list[str] | None, out: Path) -> int:
    from accord.analyse.datasets import files

    print(files.join(folder, scores, names, out))
    return 0
