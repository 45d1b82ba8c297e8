"""`sizes.csv`: sizes of images for datasets whose annotations don't tell them."""

from pathlib import Path

from accord.analyse.datasets.gathered import Gathered
from accord.release.archives import reading

SIZES = ("sizes.csv",)


def read_sizes(file: Path, made: Gathered) -> None:
    """image,width,height: the size of each image, px, named as the annotations name it."""
    for where, row in reading.table(file, ("image", "width", "height"), made.problems):
        made.picture(where, row["image"], reading.number(row["width"]), reading.number(row["height"]))
