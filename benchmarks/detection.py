"""How many of the planted faults each check finds, and how often it speaks of clean images, with Wilson intervals.

    python benchmarks/detection.py FOLDER

FOLDER/delivery is made (python -m accord_demo FOLDER --subjects 150 --seed 7 --size 512 --rounds 10 --unseen) where it
isn't there (half an hour on two cores), then goes through the rooms up to checks, with nobody deciding anything.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import yaml

from accord import shards
from accord.analyse.faces.rates import wilson
from accord.findings import FAIL, INFO, PASS, REVIEW, Findings
from accord_demo import deliver
from accord_demo.draft import Settings

ROOT = Path(__file__).parents[1]
SETTINGS = Settings(150, 3, seed=7, size=512, rounds=10, unseen=True)
CONFIG = {
    "shards": 4,
    "checks": {"min_megapixels": 0.25 * (512 / 768) ** 2, "min_side": 200, "web_list": "web.csv"},
    "release": {"reserve": 0.0},
}
LOUD = (FAIL, REVIEW, INFO)
COLUMNS = ["image", "check", "verdict", "score"]


def main(argv: list[str]) -> int:
    """Make what isn't there, and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(argv).folder.resolve()
    deliver.deliver(folder, SETTINGS, jobs=2)
    check(folder)
    truth = json.loads((folder / "ground_truth.json").read_text())
    said, verdicts = findings(folder), pd.read_parquet(folder / "results/checks/verdicts.parquet")
    print(table("planted defect (check)", "found", found(truth, said, verdicts)))
    print(table("missed by all checks", "missed", escaped(truth, verdicts)))
    print(table("clean images stopped or sent to review, by check", "images", alarms(truth, said, (FAIL, REVIEW))))
    print(table("clean images with a note (`info`), by check", "images", alarms(truth, said, (INFO,))))
    return 0


def check(folder: Path) -> None:
    """Put the delivery through the rooms up to checks."""
    demo = yaml.safe_load((ROOT / "config/demo.yaml").read_text())
    kept = {key: value for key, value in demo["checks"].items() if key != "policies"}
    own = {**CONFIG, "vault": str(folder / "vault"), "releases": str(folder / "releases")}
    own["checks"] = {**kept, **CONFIG["checks"], "web_list": str(folder / "web.csv")}
    own["pathvars"] = {"results": str(folder / "results"), "logs": str(folder / "logs")}
    own["intake"] = {"deliveries": [str(folder / "delivery")]}
    (folder / "config.yaml").write_text(yaml.safe_dump(own))
    configs = ["config/config.yaml", str(folder / "config.yaml")]
    command = ["snakemake", "--profile", "workflow/profiles/default", "--cores", "2", "--rerun-incomplete"]
    command += [f"{folder}/results/checks/verdicts.parquet", "--configfile", *configs]
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)


def findings(folder: Path) -> pd.DataFrame:
    """All that checks said, as they said it: before people's decisions and policies."""
    files = [f for f in sorted(folder.glob("results/*/**/*.parquet")) if f.stem != "settled"]
    tables = (pd.read_parquet(file) for file in files)
    told = [one[COLUMNS] for one in tables if set(one) == set(Findings.to_schema().columns)]
    said = pd.concat(told, ignore_index=True).drop_duplicates()
    # Without a score, a note says that nothing can be told.
    return said[(said["verdict"] != INFO) | said["score"].notna()]


def found(truth: dict, said: pd.DataFrame, verdicts: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Kind of fault (and the check that should find it) -> how many it found, of how many: it stops those that must
    be stopped, or speaks of one to look at."""
    speaking = said[said["verdict"].isin(LOUD)].groupby("check")["image"].agg(set).to_dict()
    for check, stopped in verdicts[verdicts["verdict"] != PASS].groupby("check")["image"]:
        speaking[check] = speaking.get(check, set()) | set(stopped)
    counts: dict[str, tuple[int, int]] = {}
    for defect in truth["defects"]:
        expect, spoken = defect["expect"], speaking.get(defect["expect"]["check"], set())
        stopped, either = ({opaque(truth, image) for image in expect[key]} for key in ("stopped", "either"))
        if stopped or either:
            name = f"{defect['kind']} ({expect['check']})"
            hits, count = counts.get(name, (0, 0))
            counts[name] = hits + (stopped <= spoken if stopped else bool(either & spoken)), count + 1
    return counts


def escaped(truth: dict, verdicts: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """How many of the images that must be stopped no check at all stopped."""
    passing = set(verdicts.loc[verdicts["verdict"] == PASS, "image"])
    must = {opaque(truth, image) for defect in truth["defects"] for image in defect["expect"]["stopped"]}
    return {"all images that must be stopped": (len(must & passing), len(must))}


def alarms(truth: dict, said: pd.DataFrame, verdicts: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """Check -> of how many images in which nothing is planted it says one of the verdicts, of how many."""
    planted = {image for defect in truth["defects"] for image in defect["images"]}
    clean = {opaque(truth, image) for image in truth["clean"] if image not in planted}
    wrong = said[said["verdict"].isin(verdicts) & said["image"].isin(clean)]
    counts = wrong.groupby("check")["image"].nunique()
    silent = said["check"].nunique() - len(counts)
    return {str(check): (int(count), len(clean)) for check, count in counts.items()} | {
        f"each of {silent} other checks": (0, len(clean))
    }


def table(what: str, hits_are: str, counts: dict[str, tuple[int, int]]) -> str:
    """Rates as a table of a document."""
    lines = [f"| {what} | {hits_are} | of | rate | 95% interval |", "|---|---|---|---|---|"]
    for name, (hits, count) in counts.items():
        low, high = wilson(hits, count)
        lines.append(f"| {name} | {hits} | {count} | {hits / count:.1%} | {low:.1%} to {high:.1%} |")
    return "\n".join(lines) + "\n"


def opaque(truth: dict, reference: str) -> str:
    """The id that intake gives to an image."""
    return shards.opaque_id(truth["vendor"], truth["delivery"], reference)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
