"""When a device was released: what its name and its pictures say.

Old devices that were common are listed in `devices.csv`; of all others only an upper bound is known, the year of the
picture itself, since nothing is photographed by a device that has not been made yet.
"""

import csv
from functools import cache

from accord.engine import resources

DEVICES = "devices.csv"


def newest_year(manufacturer: str, model: str, captured_at: str) -> int | None:
    """The last year in which the device can have been released; None where neither name nor time is known.

    `captured_at` is ISO 8601 or "".
    """
    years = [_listed().get(plain_model(manufacturer, model)), _year(captured_at)]
    return min((year for year in years if year is not None), default=None)


def plain_model(manufacturer: str, model: str) -> str:
    """The model's name in lower case, without the manufacturer's that cameras put before it."""
    words = model.casefold().split()
    maker = manufacturer.casefold().split()
    return " ".join(words[1:] if words[1:] and maker and words[0] == maker[0] else words)


def is_listed(model: str) -> bool:
    """Whether a model is one of the list, by its name alone."""
    return model.casefold().strip() in _listed()


@cache
def _listed() -> dict[str, int]:
    with (resources.beside(__name__) / DEVICES).open(newline="") as file:
        return {row["model"]: int(row["released"]) for row in csv.DictReader(file)}


def _year(captured_at: str) -> int | None:
    return int(captured_at[:4]) if captured_at[:4].isdigit() else None
