"""How many of the planted faults each check finds, and how often it speaks of clean images, with Wilson intervals.

    python benchmarks/detection.py FOLDER

FOLDER/delivery is made (accord demo.deliver FOLDER --subjects 150 --seed 7 --size 512 --rounds 10 --unseen) where it
isn't there (half an hour on two cores), then goes through the rooms up to privacy, with nobody deciding anything.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import yaml

from accord import shards
from accord.analyse.rates import wilson
from accord.demo import deliver
from accord.demo.draft import Settings
from accord.findings import FAIL, INFO, REVIEW, Findings

ROOT = Path(__file__).parents[1]
SETTINGS = Settings(150, 3, seed=7, size=512, rounds=10, unseen=True)
CONFIG = {
    "shards": 4,
    "checks": {"min_megapixels": 0.25 * (512 / 768) ** 2, "min_side": 200, "web_list": "web.csv"},
    "release": {"reserve": 0.0},
}
COLUMNS = ["image", "check", "verdict"]


def main(argv: list[str]) -> int:
    """Make what isn't there, and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(argv).folder.resolve()
    deliver.deliver(folder, SETTINGS, jobs=2)
    check(folder)
    truth = json.loads((folder / "ground_truth.json").read_text())
    said, verdicts = findings(folder), pd.read_parquet(folder / "results/checks/verdicts.parquet")
    print(table("planted", found(truth, said, verdicts)), end="\n\n")
    print(table("clean images", alarms(truth, said)))
    return 0


def check(folder: Path) -> None:
    """Put the delivery through the rooms up to privacy."""
    demo = yaml.safe_load((ROOT / "config/demo.yaml").read_text())
    kept = {key: value for key, value in demo["checks"].items() if key != "policies"}
    own = {**CONFIG, "vault": str(folder / "vault"), "releases": str(folder / "releases")}
    own["checks"] = {**kept, **CONFIG["checks"], "web_list": str(folder / "web.csv")}
    own["pathvars"] = {"results": str(folder / "results"), "logs": str(folder / "logs")}
    own["intake"] = {"deliveries": [str(folder / "delivery")]}
    (folder / "config.yaml").write_text(yaml.safe_dump(own))
    targets = [f"{folder}/results/privacy/{shard}/findings.parquet" for shard in shards.names(own["shards"])]
    configs = ["config/config.yaml", str(folder / "config.yaml")]
    command = ["snakemake", "--profile", "workflow/profiles/default", "--cores", "2", "--rerun-incomplete"]
    command += [f"{folder}/results/checks/verdicts.parquet", *targets, "--configfile", *configs]
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)


def findings(folder: Path) -> pd.DataFrame:
    """All that checks said, as they said it: before people's decisions and policies."""
    files = [f for f in sorted(folder.glob("results/*/**/*.parquet")) if f.stem != "settled"]
    tables = (pd.read_parquet(file) for file in files)
    told = [one[COLUMNS] for one in tables if set(one) == set(Findings.to_schema().columns)]
    return pd.concat(told, ignore_index=True).drop_duplicates()


def found(truth: dict, said: pd.DataFrame, verdicts: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Kind of fault -> how many were found, of how many: stopped where that must be, else spoken of by its check."""
    passes = set(verdicts.loc[verdicts["verdict"] == "pass", "image"])
    speaking = said[said["verdict"].isin((FAIL, REVIEW, INFO))].groupby("check")["image"].agg(set)
    counts: dict[str, tuple[int, int]] = {}
    for defect in truth["defects"]:
        expect = defect["expect"]
        if expect["stopped"]:
            hit = not {opaque(truth, image) for image in expect["stopped"]} & passes
        elif expect["either"]:
            hit = bool({opaque(truth, i) for i in expect["either"]} & speaking.get(expect["check"], set()))
        else:
            continue
        hits, count = counts.get(f"{defect['kind']} ({expect['check']})", (0, 0))
        counts[f"{defect['kind']} ({expect['check']})"] = hits + hit, count + 1
    return counts


def alarms(truth: dict, said: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Check -> how many images in which nothing is planted it stops or asks about, of how many."""
    planted = {image for defect in truth["defects"] for image in defect["images"]}
    clean = {opaque(truth, image) for image in truth["clean"] if image not in planted}
    wrong = said[said["verdict"].isin((FAIL, REVIEW)) & said["image"].isin(clean)]
    counts = wrong.groupby("check")["image"].nunique()
    return {check: (int(counts.get(check, 0)), len(clean)) for check in sorted(said["check"].unique())}


def table(what: str, counts: dict[str, tuple[int, int]]) -> str:
    """Rates as a table of a document."""
    lines = [f"| {what} | found | of | rate | 95% interval |", "|---|---|---|---|---|"]
    for name, (hits, count) in counts.items():
        low, high = wilson(hits, count)
        lines.append(f"| {name} | {hits} | {count} | {hits / count:.1%} | {low:.1%} to {high:.1%} |")
    return "\n".join(lines)


def opaque(truth: dict, reference: str) -> str:
    """The id that intake gives to an image."""
    return shards.opaque_id(truth["vendor"], truth["delivery"], reference)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
