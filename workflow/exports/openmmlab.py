"""Networks of OpenMMLab's repositories, built from their configurations, without their way of reading checkpoints."""

import importlib
import sys
from pathlib import Path

import torch


def built(checkout: Path, config: "Path | str", package: str) -> torch.nn.Module:
    """The network of a configuration (a path in the checkout, or anywhere), of random weights.

    Raises FileNotFoundError where the configuration isn't there.
    """
    sys.path.insert(0, str(checkout))
    from mmengine.config import Config
    from mmengine.registry import init_default_scope

    found = [path for path in (Path(config), checkout / config, checkout / package / ".mim" / config) if path.is_file()]
    if not found:
        raise FileNotFoundError(
            f"{checkout / config}: --code is the checkout of {package}, or --config names another file"
        )
    read = Config.fromfile(str(found[0]))
    init_default_scope(package)
    importlib.import_module(f"{package}.models")
    model = read.model
    for part in (model, model.get("backbone", {})):
        # Weights to begin a training with: all come from the checkpoint.
        part.pop("init_cfg", None)
        part.pop("pretrained", None)
    return importlib.import_module(f"{package}.registry").MODELS.build(model).eval()
