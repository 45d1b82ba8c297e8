"""What is exported how: the family of each model, and the name of its file in config/models.yaml."""

import importlib
import os
from types import ModuleType
from typing import NamedTuple

SILENT = dict.fromkeys(("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY"), "1")
"""As in `accord`, which isn't there: packages don't tell their makers what runs, if it is set before authors' code."""
os.environ.update(SILENT)


class Export(NamedTuple):
    """The module that makes the graph, and the file that the model's entry reads."""

    module: str
    file: str


FAMILIES = {
    "retinaface": Export("retinaface", "retinaface_r50.onnx"),
    "dml_csr": Export("dml_csr", "dml_csr_celebamask.onnx"),
    "gfpgan": Export("gfpgan", "GFPGANv1.4.onnx"),
    "gpen": Export("gpen", "GPEN-BFR-512.onnx"),
    "restyle_e4e": Export("restyle", "restyle_e4e_ffhq.pt"),
    "restyle_psp": Export("restyle", "restyle_psp_ffhq.pt"),
    "simple_baseline": Export("mmpose", "simple_baseline_res50_256x192.onnx"),
    "hrnet": Export("mmpose", "hrnet_w32_256x192.onnx"),
    "rtmpose": Export("mmpose", "rtmpose_m_256x192.onnx"),
    "cascade_rcnn": Export("mmdetection", "cascade_rcnn_r50_fpn.onnx"),
    "cascade_mask_rcnn": Export("mmdetection", "cascade_mask_rcnn_r50_fpn.onnx"),
    "ddod": Export("mmdetection", "ddod_r50_fpn.onnx"),
}


def family(name: str) -> ModuleType:
    """The module of a model's family; its `made(flags)` gives the graph."""
    return importlib.import_module(f"exports.{FAMILIES[name].module}")
