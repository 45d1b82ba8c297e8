"""`python -m accord_demo.videos OUT`: an archive as Casual Conversations is, of the demo's rendered people.

In OUT: CasualConversations.json and short videos (a rendered picture that moves, flickers and is compressed once more),
votes.csv of simulated raters, submissions/ of simulated deepfake detectors with truth.csv, planted.json. The same
pictures and seed give the same tables; the bytes of a video depend on FFmpeg's version.
"""

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.__main__ import run
from accord.command_line import Parser
from accord.errors import AccordError, Problem
from accord.files import replace
from accord.release.archives.shared import ROMAN
from accord_demo.people_of_delivery import Person, people
from accord_demo.recording import record

RATERS = 8
UNCERTAIN, SLIP, LENIENT = 0.12, 0.15, 0.3
"""Shares of votes that are uncertain or one type off; share of votes of the last rater that are one type too light."""
DETECTORS = {"steady": 1.2, "sharp": 1.8, "offset": 1.5}
"""Detector -> how far its mean log-odds of real and fake videos are from 0."""
NOISE, OFFSET = 1.0, 2.0
DARK_TYPES = ("V", "VI")
PLANTED = "offset"
HINT = "give the folder of a delivery of accord_demo, such as tests/data/demo/delivery"


class Made(NamedTuple):
    """The videos of a person: names, and which of them are dark."""

    person: Person
    files: list[str]
    dark: list[str]


def main(argv: list[str]) -> int:
    """Make the archive that the command line describes."""
    flags = parser().parse_args(argv)
    found = people(flags.delivery, flags.subjects)
    if len(found) < flags.subjects:
        raise AccordError(Problem(str(flags.delivery), f"has {len(found)} people with a clear face", HINT))
    rng = np.random.default_rng(flags.seed)
    made = [_videos(flags.out, person, rng) for person in found]
    _write(flags.out / "CasualConversations.json", json.dumps(_annotations(made), indent=1))
    _write(flags.out / "votes.csv", _votes(made, rng).to_csv(index=False))
    truth = _truth(made)
    _write(flags.out / "truth.csv", truth.to_csv(index=False))
    types = {video: ROMAN[one.person.skin - 1] for one in made for video in one.files}
    for name, apart in DETECTORS.items():
        _write(flags.out / f"submissions/{name}.csv", _submission(name, apart, truth, types, rng).to_csv(index=False))
    told = {"submission": PLANTED, "attribute": "fitzpatrick", "groups": DARK_TYPES, "log_odds": OFFSET}
    _write(flags.out / "planted.json", json.dumps(told))
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = Parser(
        prog="python -m accord_demo.videos", description="Make an archive of short videos of rendered people."
    )
    made.add_argument("out", type=Path, help="folder to write to")
    made.add_argument("--delivery", type=Path, default=Path("tests/data/demo/delivery"), help="whose pictures move")
    made.add_argument("--subjects", type=int, default=60, help="people, two videos each (default 60)")
    made.add_argument("--seed", type=int, default=1, help="of motion, votes and submissions (default 1)")
    return made


def _videos(out: Path, person: Person, rng: np.random.Generator) -> Made:
    """A bright and a dark video; one of every fourth person lies on its side, with a display matrix."""
    number = f"{person.number:04}"
    names = [f"CasualConversationsA/{number}/{number}_{take:02}.MP4" for take in range(2)]
    for name, dark in zip(names, (False, True), strict=True):
        record(out / name, person, dark=dark, turned=90 if dark and person.number % 4 == 0 else 0, rng=rng)
    return Made(person, names, names[1:])


def _annotations(made: list[Made]) -> dict:
    return {
        f"{one.person.number:04}": {
            "label": {"age": str(one.person.age), "gender": one.person.gender, "skin-type": str(one.person.skin)},
            "files": one.files,
            "dark_files": one.dark,
        }
        for one in made
    }


def _votes(made: list[Made], rng: np.random.Generator) -> pd.DataFrame:
    """subject, rater, type, uncertain: what people are, but for slips; the last rater often votes one type lighter."""
    rows = []
    for one in made:
        for rater in range(RATERS):
            slip = rng.choice((-1, 1)) if rng.random() < SLIP else 0
            lenient = rater == RATERS - 1 and rng.random() < LENIENT
            value = int(np.clip(one.person.skin + slip - lenient, 1, len(ROMAN)))
            rows.append((f"{one.person.number:04}", f"rater{rater + 1}", value, int(rng.random() < UNCERTAIN)))
    return pd.DataFrame(rows, columns=["subject", "rater", "type", "uncertain"])


def _truth(made: list[Made]) -> pd.DataFrame:
    """filename, subject, label, video: of each video the real one, and a fake that only submissions know."""
    rows = [
        (f"{Path(video).stem}_{kind}.mp4", f"{one.person.number:04}", label, video)
        for one in made
        for video in one.files
        for label, kind in enumerate(("real", "fake"))
    ]
    return pd.DataFrame(rows, columns=["filename", "subject", "label", "video"])


def _submission(
    name: str, apart: float, truth: pd.DataFrame, types: dict[str, str], rng: np.random.Generator
) -> pd.DataFrame:
    """filename, label: the probability of a fake. PLANTED adds OFFSET to the log-odds of real videos of dark skin."""
    odds = apart * (2 * truth["label"] - 1) + rng.normal(0, NOISE, len(truth))
    if name == PLANTED:
        odds += OFFSET * (truth["video"].map(types).isin(DARK_TYPES) & (truth["label"] == 0))
    return pd.DataFrame({"filename": truth["filename"], "label": (1 / (1 + np.exp(-odds))).round(6)})


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, text.encode())


if __name__ == "__main__":
    run(main)
