"""Make hard cases for FHIBE's public Evaluation API, and keep what it answers: python make.py CHECKOUT

CHECKOUT: a folder with the sources of SonyResearch/fhibe_evaluation_api, which is imported from there and must find its
own dependencies (README.md). Writes people.csv, faces.csv, pairs.csv, outputs/, masks/, pictures/ and api.json beside
itself; the same sources give the same files.
"""

import csv
import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from cases import faces, network, people, verification

HERE = Path(__file__).parent
MODEL, ROW = "cases", "hairstyle"
RAW, TABLES = "data/raw/fhibe_downsampled", "data/processed"
WHOLE_TASKS = {
    "person_localization": "AR_IOU",
    "face_localization": "AR_IOU",
    "person_parsing": "AR_MASK",
    "keypoint_estimation": "AR_OKS",
    "body_parts_detection": "AR_DET",
}


def main(checkout: Path) -> None:
    """Write the cases, run the API on them, and write its answers."""
    sys.path.insert(0, str(checkout))
    for folder in ("outputs", "masks", "pictures"):
        shutil.rmtree(HERE / folder, ignore_errors=True)
        (HERE / folder).mkdir()
    whole, crops, several = people.make(), faces.make(HERE), verification.make()
    for name, cases in (("people", whole), ("faces", crops), ("pairs", several)):
        _write_table(HERE / f"{name}.csv", cases.rows)
        for task, outputs in cases.outputs.items():
            _write(HERE / "outputs" / f"{task}.json", outputs)
    _write(HERE / "api.json", {**_whole(whole), **_faces(crops), **_verification(several)})


def _whole(cases) -> dict:
    """Row -> score of the tasks on whole pictures, and what PCK and OKS are made of."""
    told = {}
    for task in WHOLE_TASKS:
        with tempfile.TemporaryDirectory() as folder:
            found = _run(Path(folder), "fhibe_downsampled", cases, task)
            told[task] = {name: _scores(found(f"intersectional_results_{name}.json")) for name in _metrics(task)}
            if task == "keypoint_estimation":
                near = found("pck_scores_threshold.json")["results"]
                told[task]["PCK@0.5"] = {row: one["pcks@thresholds"][4] for row, one in near.items()}
                told[task]["OKS"] = dict(enumerate(found("oks_scores.json")))
            if task == "body_parts_detection":
                told[task]["groups"] = _parts(cases)
            for name in ("gt_bbox_iou_scores.json", "gt_mask_iou_scores.json"):
                if task != "keypoint_estimation" and (kept := found(name)) is not None:
                    told[task]["IOU"] = dict(enumerate(kept))
    return told


def _parts(cases) -> dict:
    """Metric -> group -> part -> its mean and how many people it is of, as the API tells of body parts."""
    task, told = "body_parts_detection", {}
    with tempfile.TemporaryDirectory() as folder:
        found = _run(Path(folder), "fhibe_downsampled", cases, task, attributes=["pronoun"])
        for name in _metrics(task):
            groups = found(f"intersectional_results_{name}.json")["['pronoun']"]
            told[name] = {
                group[2:-2]: {part: [one[name], one["Class_Size"]] for part, one in parts.items()}
                for group, parts in groups.items()
            }
    return told


def _faces(cases) -> dict:
    told = {}
    for task, metrics in (
        ("face_parsing", ["F1"]),
        ("face_encoding", ["LPIPS", "PSNR"]),
        ("face_super_resolution", ["LPIPS"]),
    ):
        with tempfile.TemporaryDirectory() as folder:
            found = _run(Path(folder), "fhibe_face_crop_align", cases, task, metrics)
            told[task] = {name: _scores(found(f"intersectional_results_{name}.json")) for name in metrics}
    return told


def _verification(cases) -> dict:
    """Group -> its validation rate and counts; the rate as it is before the API rounds it to two digits."""
    from fhibe_eval_api.metrics import utils

    utils.np = _Unrounded()
    with tempfile.TemporaryDirectory() as folder:
        found = _run(
            Path(folder), "fhibe_face_crop_align", cases, "face_verification", attributes=["pronoun", "ancestry"]
        )
        return {"face_verification": found("intersectional_results_VAL.json")}


def _run(
    root: Path, table: str, cases, task: str, metrics: list[str] | None = None, attributes: list[str] | None = None
):
    """Run `evaluate_task` on an archive of the cases; a function that reads the files that it leaves."""
    from fhibe_eval_api.evaluate import evaluate_task

    logging.disable()
    archive, results = root / "archive", root / "results"
    (archive / TABLES / table).mkdir(parents=True)
    _write_table(archive / TABLES / table / f"{table}.csv", cases.rows)
    for name in ("masks", "pictures"):
        shutil.copytree(HERE / name, archive / name)
    left = results / task / table / MODEL
    left.mkdir(parents=True)
    place = archive / TABLES if task == "face_verification" else archive
    _leave(task, cases, place, left)
    network.stand_in()
    evaluate_task(
        data_rootdir=str(archive),
        dataset_name=table.removesuffix("_downsampled"),
        model=_Aligned(),
        model_name=MODEL,
        task_name=task,
        metrics=metrics,
        attributes=attributes or [ROW],
        reuse_model_outputs=True,
        results_rootdir=str(results),
        cuda=False,
    )
    return lambda name: json.loads((left / name).read_text()) if (left / name).exists() else None


def _leave(task: str, cases, place: Path, left: Path) -> None:
    """Leave the model's outputs where the API looks for them."""
    if task in ("face_encoding", "face_super_resolution"):
        (left / "face_encodings").mkdir()
        made = {}
        for row in cases.rows:
            name = Path(row["filepath"]).name
            target = left / "face_encodings" / name
            shutil.copy(HERE / "pictures" / f"made_{name}", target)
            made[str(place / row["filepath"])] = {"super_res_filename": str(target)}
        _write(left / "model_outputs.json", made)
        return
    _write(left / "model_outputs.json", {str(place / path): told for path, told in cases.outputs[task].items()})


class _Unrounded:
    """NumPy, but for rounding."""

    def __getattr__(self, name: str):
        return getattr(np, name)

    def around(self, value: float, _: int) -> float:
        return value


class _Aligned:
    """A model that finds each face where it is."""

    def align_faces(self, img_filepaths: list[str], **_) -> list[bool]:
        return [True] * len(img_filepaths)


def _metrics(task: str) -> list[str]:
    also = {"keypoint_estimation": ["PCK"], "body_parts_detection": ["ACC_DET"]}
    return [WHOLE_TASKS[task], *also.get(task, [])]


def _scores(found: dict) -> dict:
    """Row -> its score, or that of each of its parts: every row is a group of its own."""
    told = {}
    for name, group in found[f"['{ROW}']"].items():
        row = name.strip("[]'\"").partition(".")[0]
        if "scores" in group:
            (told[row],) = group["scores"]
        else:
            told[row] = {part: one["scores"][0] for part, one in group.items() if one["scores"]}
    return told


def _write_table(path: Path, rows: list[dict]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(_plain(value), sort_keys=True, indent=0) + "\n")


def _plain(value: object) -> object:
    """Numbers as JSON has them: what is not a number is null."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(one) for one in value]
    if isinstance(value, float | np.floating):
        return None if np.isnan(value) else float(value)
    return int(value) if isinstance(value, np.integer) else value


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
