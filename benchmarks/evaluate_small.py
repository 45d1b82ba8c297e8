"""CPU seconds of the small models of a shard: each in a job of its own, and all in one, in one run.

    python benchmarks/evaluate_small.py [--pictures 30] [--side 2048] [--models yunet,blazepose,...]

The starts of the jobs count. Then the one job again where nothing changed, and where one picture was withdrawn: what it
said of the others is taken over. Pictures are photographs where a package has some, each with one person and their
aligned face.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

import evaluate
from accord.engine import table
from accord.imaging.bundle import BundleWriter
from accord.imaging.decode import encode_png
from accord.models import registry, tasks
from accord.release.tables import Derivatives, Faces, People

ROOT = Path(__file__).parents[1]
SIDES = ("x", "y", "width", "height")
TAKES = {
    "detect": ("people", "faces"), "pose": ("people",), "parse": ("people",), "parts": ("people",),
    "embed": (), "label": (), "restore": (), "masked": ("people",),
}  # fmt: skip
"""Step -> the tables that it reads besides derivatives."""
MEASURING = ["--side", "256", "--factor", "4"]


def main(argv: list[str] | None = None) -> None:
    """Measure, and print a table."""
    flags = parser().parse_args(argv)
    listed = registry.read(
        {"models": str(ROOT / "config/models.yaml"), "run": flags.models.split(",")},
        ROOT / "workflow/schemas/models.schema.yaml",
    )
    specs = {name: listed.spec(name) for name in listed.small}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, flags.pictures, flags.side)
        alone = [seconds(job(model, spec), folder) for model, spec in specs.items()]
        once, again = (seconds(together(specs), folder) for _ in range(2))
        withdraw(folder)
        fewer = seconds(together(specs), folder)
    print(f"{flags.pictures} pictures of {flags.side} px, {len(specs)} models\n\n| | jobs | CPU s |\n|---|---|---|")
    print(f"| one job per model | {len(alone)} | {sum(alone):.1f} |\n| one job for all models | 1 | {once:.1f} |")
    print(f"| rerun, nothing changed | 1 | {again:.1f} |\n| rerun, one picture removed | 1 | {fewer:.1f} |")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--pictures", type=int, default=30, help="a shard of the demo has some 100")
    made.add_argument("--side", type=int, default=2048, help="longest side of a picture, px")
    wanted = yaml.safe_load((ROOT / "config/config.yaml").read_text())["evaluate"]["run"]
    made.add_argument("--models", default=",".join(wanted), help="names in config/models.yaml")
    return made


def write(folder: Path, count: int, side: int) -> None:
    """A shard as release writes it: pictures, the middle of each as a person, and an aligned face."""
    people, derivatives = [], []
    with BundleWriter(folder / "files.tar") as writer:
        for kind, subject, longest in (("downsampled", "", side), ("face_aligned", "s", evaluate.FACE)):
            for number, pixels in enumerate(evaluate.photographs(count, longest, square=kind == "face_aligned")):
                image, (height, width) = f"i{number:04}", pixels.shape[:2]
                member = writer.add(f"{image}.{kind}.png", encode_png(pixels))
                where = {"image": image, "subject": subject, "kind": kind, "part": "", "source_sha256": "0" * 64}
                derivatives.append({**where, **member._asdict(), "width": width, "height": height})
                if kind == "downsampled":
                    people.append(person(image, width, height))
    table.write(table.rows(derivatives, Derivatives), Derivatives, folder / "derivatives.parquet")
    table.write(table.rows(people, People), People, folder / "people.parquet")
    table.write(table.empty(Faces), Faces, folder / "faces.parquet")


def person(image: str, width: int, height: int) -> dict:
    """A row of People: somebody in the middle of a picture."""
    x0, y0, x1, y1 = evaluate.middle((height, width))
    box = dict(zip(SIDES, (x0, y0, x1 - x0, y1 - y0), strict=True))
    boxes = {f"{part}_{side}": value for part in ("face", "person") for side, value in box.items()}
    return {"image": image, "subject": "s", "is_primary": True, "age": 30, "face_annotator": "a", **boxes}


def withdraw(folder: Path) -> None:
    """The first image leaves the tables."""
    for name, model in (("derivatives", Derivatives), ("people", People)):
        rows = table.read(folder / f"{name}.parquet", model)
        table.write(rows[rows["image"] != "i0000"], model, folder / f"{name}.parquet")


def job(name: str, spec: str) -> list[str]:
    """The command of the step that asks one model."""
    step = tasks.STEP_OF_TASK[json.loads(spec)["task"]]
    more = ["--permits"] if step == "embed" else MEASURING if step == "restore" else []
    outs = ["--out-predictions", f"{name}.parquet", "--out-asked", f"{name}.asked.parquet"]
    return [f"evaluate.{step}", *given(TAKES[step]), *more, "--model", spec, *outs]


def together(specs: dict[str, str]) -> list[str]:
    """The command of the step that asks all of them."""
    entries = json.dumps({name: json.loads(spec) for name, spec in specs.items()})
    outs = [f"together/{name}{of}.parquet" for of in ("", ".asked") for name in specs]
    return [
        "evaluate.small",
        *given(("people", "faces")),
        "--permits",
        *MEASURING,
        "--entries",
        entries,
        "--out",
        *outs,
    ]


def given(tables: Sequence[str]) -> Iterator[str]:
    """The flags of the inputs."""
    yield from ("--files", "files.tar", "--weights", "weights")
    for name in ("derivatives", *tables):
        yield from (f"--{name}", f"{name}.parquet")


def seconds(command: list[str], folder: Path) -> float:
    """The CPU seconds of a job, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    subprocess.run([sys.executable, "-m", "accord", *command], cwd=folder, env=os.environ | one, check=True,
                   stderr=subprocess.DEVNULL)  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
