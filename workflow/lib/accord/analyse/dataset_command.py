"""`accord dataset`: the annotation files of public datasets as tables of a release, and datasets side by side."""

import argparse
import importlib
from pathlib import Path

ADAPTERS = ("accord", "celebamask_hq", "ccv1", "ccv2", "coco", "facet", "imdb_wiki", "miap", "wider_face")
COMPARE, SCORES = "compare", "scores"


def main(argv: list[str]) -> int:
    """Read a dataset, or compare several that were read. Raises AccordError with all that can't be read."""
    parser = argparse.ArgumentParser(prog="accord dataset", description=__doc__)
    actions = parser.add_subparsers(dest="name", required=True, metavar="NAME")
    for name in ADAPTERS:
        about = importlib.import_module(f"accord.analyse.datasets.{name}").__doc__ or ""
        adapter = actions.add_parser(name, help=about, description=about)
        adapter.add_argument("folder", type=Path, help="where its annotation files lie (docs/datasets.md)")
        adapter.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write the tables to")
    both = actions.add_parser(COMPARE, help="hold datasets that were read against each other")
    both.add_argument("folders", type=Path, nargs="+", metavar="DIR", help="what --out named, of each")
    both.add_argument("--out", type=Path, metavar="DIR", help="folder to write shares and distances to")
    joined = actions.add_parser(SCORES, help="join scores of a model with what is said of the people")
    joined.add_argument("folder", type=Path, metavar="DIR", help="what --out named when the dataset was read")
    joined.add_argument("scores", type=Path, help="CSV or Parquet: image, subject (if images show several), scores")
    joined.add_argument("--attributes", nargs="+", metavar="NAME", help="which attributes; else all")
    joined.add_argument("--out", type=Path, required=True, metavar="FILE", help="CSV, or Parquet if it ends so")
    given = parser.parse_args(argv)
    if given.name == SCORES:
        return _join(given.folder, given.scores, given.attributes, given.out)
    if given.name == COMPARE:
        return _compare(given.folders, given.out)
    return _read(given.name, given.folder, given.out)


def _read(name: str, folder: Path, out: Path) -> int:
    from accord.analyse import dataset_files

    for line in dataset_files.read(name, folder, out):
        print(line)
    return 0


def _compare(folders: list[Path], out: Path | None) -> int:
    from accord.analyse import dataset_files

    for line in dataset_files.compared(folders, out):
        print(line)
    return 0


def _join(folder: Path, scores: Path, names: list[str] | None, out: Path) -> int:
    from accord.analyse import dataset_files

    print(dataset_files.join(folder, scores, names, out))
    return 0
