"""What all adapters that run torch share: threads, device, precision, and checkpoints that must fit their network."""

from pathlib import Path
from typing import Any

from accord.errors import AccordError, Problem
from accord.models.weights import load_state

PRECISIONS = ("float32", "bfloat16", "float16")
WRAPPED = ("state_dict", "model", "model_state_dict", "params_ema", "params")


def settle() -> None:
    """One thread for torch: jobs run side by side."""
    import torch

    torch.set_num_threads(1)


def device() -> str:
    """cuda where there is one, cpu elsewhere."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def dtype_of(precision: str):
    """torch's name of a precision. Raises AccordError for one that there isn't."""
    import torch

    if precision not in PRECISIONS:
        what = f"unknown value {precision!r}"
        raise AccordError(Problem("option precision", what, f"use one of {', '.join(PRECISIONS)}"))
    return getattr(torch, precision)


def tensors(path: Path) -> dict:
    """The tensors of a checkpoint by name: taken out of a training's record, without `module.` in front."""
    state = load_state(path)
    for name in WRAPPED:
        if isinstance(state.get(name), dict):
            state = state[name]
            break
    return {str(name).removeprefix("module."): value for name, value in state.items()}


def fit(net: Any, state: dict, name: str):
    """A network with the checkpoint's tensors, ready to predict.

    Raises AccordError where one is missing or has another shape: what isn't loaded would be random.
    """
    wanted = {key: tuple(value.shape) for key, value in net.state_dict().items() if "num_batches_tracked" not in key}
    got = {key: tuple(value.shape) for key, value in state.items() if key in wanted}
    wrong = sorted(key for key, shape in wanted.items() if got.get(key) != shape)
    if wrong:
        what = f"lacks {len(wrong)} of {len(wanted)} tensors of the network, or has other shapes ({wrong[0]}, ...)"
        raise AccordError(Problem(name, what, "it is a checkpoint of a different network than the adapter's"))
    net.load_state_dict({key: value for key, value in state.items() if key in wanted}, strict=False)
    return net.eval()
