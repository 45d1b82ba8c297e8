"""What a shard costs from nothing, and after one of its subjects is gone: painting and derivatives.

    python benchmarks/kept.py [--results results] [--shard 00] [--config config/config.yaml config/demo.yaml]

Takes the tables and bundles that a finished run left for one shard, runs `privacy.paint` and `release.derive` on them
in a folder of its own, then both again without the images of one subject, over what the first run left, and at last
without them in an empty folder, whose bytes must be the same. CPU seconds are those of the whole process, its start
included.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from accord.engine import configuration, source, step
from accord.engine.parameter_types import Former, Private, Sink
from accord.privacy.painting import chosen

ROOT = Path(__file__).parents[1]
INPUTS = {
    "privacy.paint": {
        "images": "checks/images", "attributes": "intake/attributes", "segments": "intake/segments",
        "regions": "checks/regions", "bundle": "intake/images.tar",
    },
    "release.derive": {
        "bundle": "privacy/images.tar", "pictures": "privacy/pictures", "people": "intake/people",
        "attributes": "intake/attributes", "keypoints": "intake/keypoints", "segments": "intake/segments",
        "permits": "consent/permits", "public": "privacy/public", "checked": "intake/checked",
    },
}  # fmt: skip
"""Step -> parameter -> room and file of the shard."""
FILES = {"privacy.paint": "images.tar", "release.derive": "files.tar"}


def main() -> None:
    """Print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--shard", default="00")
    parser.add_argument(
        "--config", type=Path, nargs="+", default=[ROOT / "config/config.yaml", ROOT / "config/demo.yaml"]
    )
    told = parser.parse_args()
    config = configuration.filled(configuration.read(told.config), ROOT)
    images = pd.read_parquet(told.results / "checks" / told.shard / "images.parquet")
    gone = images["subject"].value_counts().sort_index(kind="stable").idxmax()
    without = set(images.loc[images["subject"] == gone, "image"])
    print(f"{len(images)} images of {images['subject'].nunique()} subjects; {len(without)} images of one leave")
    with TemporaryDirectory() as folder:
        all_in, left_in = Path(folder, "all"), Path(folder, "left")
        given(told.results, told.shard, set(), all_in)
        given(told.results, told.shard, without, left_in)
        kept, new = Path(folder, "kept"), Path(folder, "new")
        print("| step | CPU s from nothing | CPU s with one subject gone | of it | bytes |\n|---|---|---|---|---|")
        times = {}
        for name in INPUTS:
            times[name] = [seconds(name, config, all_in, kept)]
        for name in INPUTS:
            times[name] += [seconds(name, config, left_in, kept), seconds(name, config, left_in, new)]
            first, again, _ = times[name]
            same = "the same" if content(name, kept) == content(name, new) else "OTHERS"
            print(f"| {name} | {first:.1f} | {again:.1f} | {again / first:.0%} | {same} |", flush=True)
        first, again, whole = (sum(some[n] for some in times.values()) for n in range(3))
        print(f"| both | {first:.1f} | {again:.1f} | {again / first:.0%} | from nothing {whole:.1f} |")


def given(results: Path, shard: str, without: set[str], folder: Path) -> None:
    """Copy what the steps read, without the rows of some images."""
    for wanted in INPUTS.values():
        for path in wanted.values():
            room, name = path.split("/")
            if room == "privacy":
                continue
            file = name if name.endswith(".tar") else f"{name}.parquet"
            origin, target = results / room / shard / file, folder / room / file
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.endswith(".tar"):
                shutil.copyfile(origin, target)
            else:
                rows = pq.read_table(origin, partitioning=None)
                rows = rows.filter(pa.array([image not in without for image in rows["image"].to_pylist()], pa.bool_()))
                pq.write_table(rows.replace_schema_metadata(None), target)


def seconds(name: str, config: dict, inputs: Path, out: Path) -> float:
    """CPU seconds of a step, run as a job runs it."""
    command = [sys.executable, "-m", "accord", name, *flags(name, config, inputs, out)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def flags(name: str, config: dict, inputs: Path, out: Path) -> list[str]:
    """The command line of a step: its inputs, its settings, its outputs."""
    room, run = name.partition(".")[0], step.load(name)
    kinds, returns = step.signature(run)
    painter = chosen.read(config, ROOT / "workflow/schemas/models.schema.yaml")
    settings = {
        **config[room],
        "model": painter.called,
        "entry": painter.spec,
        "weights": config["evaluate"]["weights"],
    }
    made = []
    for key, kind in kinds.items():
        if kind is Former:
            continue
        if key in INPUTS[name]:
            of, file = INPUTS[name][key].split("/")
            folder = (out if of == "privacy" else inputs) / of
            value = folder / (file if file.endswith(".tar") else f"{file}.parquet")
        elif kind is Sink:
            value = out / room / FILES[name]
        elif kind is Private:
            value = out / "no vault"
        else:
            value = settings[key] if isinstance(settings[key], str) else json.dumps(settings[key])
        made.append(f"--{key.replace('_', '-')}={value}")
    outs = [
        f"--{key.replace('_', '-')}={out / room / key.removeprefix('out_')}.parquet" for key in step.outputs(returns)
    ]
    return [*made, *outs, f"--code={source.digest(name)}"]


def content(name: str, out: Path) -> dict[str, list]:
    """The outputs of a step: a bundle's bytes, tables without the names of folders in their provenance."""
    files = sorted((out / name.partition(".")[0]).iterdir())
    return {f.name: [f.read_bytes()] if f.suffix == ".tar" else plain(f) for f in files}


def plain(path: Path) -> list:
    """Of a table: its rows, and digests of what they were made from."""
    found = pq.read_table(path, partitioning=None)
    return [found.to_pylist(), (found.schema.metadata or {}).get(b"made_from")]


if __name__ == "__main__":
    main()
