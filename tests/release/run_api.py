"""Runs every task of the FHIBE Evaluation API on a release or a view of one, with outputs that lie where it looks.

    python run_api.py <checkout of fhibe_evaluation_api> <data_rootdir> <results_rootdir> <model>

Prints, as JSON, task -> metric -> group -> figure, by pronoun. For the tasks whose models give pictures back, pictures
are compared with themselves; LPIPS and CurricularFace, whose weights the API downloads, are not computed.
"""

import importlib
import json
import shutil
import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

WHOLE = ("person_localization", "person_parsing", "keypoint_estimation", "face_localization", "body_parts_detection")
FACES = ("face_parsing", "face_verification", "face_encoding", "face_super_resolution")
ATTRIBUTES = ["pronoun", "age", "apparent_skin_color", "ancestry"]
UNKNOWN = "apparent_skin_color_hue_lum"
"""An attribute that it lists and no table of FHIBE's has."""
FACE_FOLDER = "fhibe_face_crop_align"


class Aligned:
    """A model whose faces count as aligned: the API asks for one even where outputs are there."""

    def align_faces(self, img_filepaths: list[str], **_) -> list[bool]:
        return [True for _ in img_filepaths]


def stand_in() -> None:
    """What the API, and MTCNN in it, import of torchvision and piq, where these aren't installed."""
    import torch

    transforms = types.ModuleType("torchvision.transforms")
    transforms.Compose = lambda steps: lambda picture: [picture := step(picture) for step in steps][-1]
    transforms.Resize = lambda size: lambda picture: picture.resize(size[::-1], Image.Resampling.BILINEAR)
    transforms.ToTensor = lambda: lambda picture: torch.from_numpy(np.array(picture)).permute(2, 0, 1) / 255.0
    transforms.Normalize = lambda **_: lambda tensor: tensor
    transforms.functional = types.ModuleType("torchvision.transforms.functional")
    boxes = types.ModuleType("torchvision.ops.boxes")
    boxes.batched_nms = None
    torchvision, ops = types.ModuleType("torchvision"), types.ModuleType("torchvision.ops")
    torchvision.transforms, torchvision.ops, ops.boxes = transforms, ops, boxes
    piq = types.ModuleType("piq")
    piq.psnr = lambda x, y, **_: -10 * torch.log10(((x - y) ** 2).mean(dim=(1, 2, 3)) + 1e-8)
    piq.LPIPS = None
    of_torchvision = {m.__name__: m for m in (torchvision, transforms, transforms.functional, ops, boxes)}
    for name, modules in (("torchvision", of_torchvision), ("piq", {"piq": piq})):
        try:
            importlib.import_module(name)
        except ImportError:
            sys.modules |= modules


def restore(root: Path, results: Path, model: str) -> None:
    """Lay out the pictures of faces as the answers of models that give them back, each of them perfect."""
    faces = [root / path for path in pd.read_csv(root / f"data/processed/{FACE_FOLDER}/{FACE_FOLDER}.csv")["filepath"]]
    folders = {task: results / task / FACE_FOLDER / model for task in FACES[2:]}
    for folder in folders.values():
        folder.mkdir(parents=True)
        none = {str(path): 0.0 for path in faces}
        (folder / "lpips_scores.json").write_text(json.dumps(none))
    (folders["face_encoding"] / "face_encodings").mkdir()
    for path in faces:
        shutil.copyfile(path, folders["face_encoding"] / "face_encodings" / path.name)
    told = {str(path): {"super_res_filename": str(path)} for path in faces}
    (folders["face_super_resolution"] / "model_outputs.json").write_text(json.dumps(told))


def evaluate(root: Path, results: Path, model: str) -> dict:
    """Run all tasks; then one of each table by every attribute that there is."""
    from fhibe_eval_api.evaluate.constants import FHIBE_ATTRIBUTE_LIST, FHIBE_FACE_ATTRIBUTE_LIST
    from fhibe_eval_api.evaluate.evaluate import evaluate_task

    def run(task: str, attributes: list[str]) -> None:
        metrics = ["PSNR", "LPIPS"] if task == "face_encoding" else None
        evaluate_task(
            data_rootdir=str(root), dataset_name="fhibe" if task in WHOLE else FACE_FOLDER, model=Aligned(),
            model_name=model, task_name=task, metrics=metrics, attributes=attributes, reuse_model_outputs=True,
            results_rootdir=str(results), cuda=False,
        )  # fmt: skip

    found = {}
    for task in (*WHOLE, *FACES):
        run(task, ATTRIBUTES)
        found[task] = figures(results, task, model)
    listed = {"person_localization": FHIBE_ATTRIBUTE_LIST, "face_parsing": FHIBE_FACE_ATTRIBUTE_LIST}
    for task, names in listed.items():
        for attribute in names:
            if attribute != UNKNOWN:
                run(task, [attribute])
    return found


def figures(results: Path, task: str, model: str) -> dict:
    """metric -> group -> figure, of the groups by pronoun; of body parts the mean of the parts."""
    [folder] = (results / task).glob(f"*/{model}")
    told = {}
    for path in folder.glob("intersectional_results_*.json"):
        metric = path.stem.removeprefix("intersectional_results_")
        groups = json.loads(path.read_text())["['pronoun']"]
        told[metric] = {group: _mean(given, metric) for group, given in groups.items()}
    return told


def _mean(given: dict, metric: str) -> float:
    values = [given[metric]] if metric in given else [part[metric] for part in given.values()]
    return float(np.nanmean(values))


if __name__ == "__main__":
    checkout, *folders = map(Path, sys.argv[1:4])
    sys.path.insert(0, str(checkout))
    stand_in()
    restore(*folders, sys.argv[4])
    print(json.dumps(evaluate(*folders, sys.argv[4])))
