"""Accord: consented photographs of people, from a delivery to a release, an evaluation and an audit."""

import os

SILENT = dict.fromkeys(("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY"), "1")
"""Environment in which packages don't tell their makers what runs here: onnxruntime (from 1.29 on) tells of models, and
keeps a number of the machine, unless this is set before it is imported; huggingface_hub tells what is fetched."""
os.environ.update(SILENT)
