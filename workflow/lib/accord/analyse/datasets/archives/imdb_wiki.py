"""IMDB-WIKI: the faces of `imdb.mat` and `wiki.mat`, with age and gender as the web told them."""

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from accord.analyse.datasets.gathered import Dataset, Gathered, years
from accord.analyse.datasets.matlab import structure
from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded

NAMES = ("imdb", "wiki")
FIELDS = ("dob", "photo_taken", "full_path", "gender", "name", "face_location", "face_score")
GENDERS = {0.0: shared.FEMALE, 1.0: shared.MALE}
MATLAB_DAYS = 366
"""MATLAB counts days from the year 0, Python from the year 1."""


def read(folder: Path, problems: Bounded) -> Dataset:
    """Images are named by their path; people by celeb_id, or by when their name first comes up: no name is kept."""
    made = Gathered(problems)
    patterns = tuple(pattern for name in NAMES for pattern in (f"{name}.mat", f"*/{name}.mat"))
    for file in reading.several(folder, patterns, problems):
        found = structure(file, file.stem, FIELDS, problems)
        if found is None:
            continue
        if wrong := [
            name for name in ("dob", "photo_taken", "gender", "face_score") if found[name].dtype.kind not in "iuf"
        ]:
            problems.add(str(file), f"fields {', '.join(wrong)} are not numbers")
            continue
        made.read_from(file)
        owners = _owners(found, file.stem)
        for place in range(len(found["dob"])):
            _face(f"{file}, entry {place + 1}", {name: found[name][place] for name in FIELDS}, owners[place], made)
    return made.dataset()


def _face(where: str, row: dict[str, Any], subject: str, made: Gathered) -> None:
    path, location = _text(row["full_path"]), np.asarray(row["face_location"]).ravel()
    if path is None or location.shape != (4,) or location.dtype.kind not in "iuf":
        made.problems.add(where, "has no full_path or face_location")
        return
    x0, y0, x1, y1 = map(float, location)
    # A score of -inf says that no face was found, and the box is that of the whole image.
    box = [x0 - 1, y0 - 1, x1 - x0, y1 - y0] if np.isfinite(row["face_score"]) else None
    age = _age(float(row["dob"]), float(row["photo_taken"]))
    made.left_out["impossible ages"] += age is None
    if made.person(where, path, subject, face=box, age=age):
        made.say(where, path, subject, shared.GENDER, GENDERS.get(float(row["gender"]), shared.UNKNOWN))


def _age(born: float, taken: float) -> int | None:
    """Years at the middle of the year in which the photograph was taken, which is all that is known of when."""
    try:
        birth = date.fromordinal(int(born) - MATLAB_DAYS)
        return years((date(int(taken), 7, 1) - birth).days / 365.2425)
    except (ValueError, OverflowError):
        return None


def _owners(found: dict[str, np.ndarray], dataset: str) -> list[str]:
    ids, count = found.get("celeb_id"), len(found["dob"])
    if ids is not None and ids.dtype.kind in "iuf" and len(ids) == count:
        return [f"{dataset} {number:.0f}" for number in ids]
    seen: dict[str | None, int] = {}
    names = (_text(name) for name in found["name"])
    return [f"{dataset} {seen.setdefault(name, len(seen)) if name else f'entry {n}'}" for n, name in enumerate(names)]


def _text(value: Any) -> str | None:
    flat = np.asarray(value).ravel()
    return str(flat[0]) if len(flat) == 1 and flat.dtype.kind == "U" else None
