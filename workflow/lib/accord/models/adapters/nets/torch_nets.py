"""What all adapters that run torch share: threads, device, precision, how a network is run on a device, and checkpoints
that must fit their network."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from accord.errors import AccordError, Problem
from accord.models.weights import NOT_PLAIN, load_state, reading

PRECISIONS = ("float32", "bfloat16", "float16")
TF32 = "tf32"
COMPILER = "inductor"
WRAPPED = ("state_dict", "model", "model_state_dict", "params_ema", "params")


def settle() -> None:
    """One thread for torch: jobs run side by side."""
    import torch

    torch.set_num_threads(1)


def device() -> str:
    """cuda where there is one, cpu elsewhere."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def dtype_of(precision: str, more: tuple[str, ...] = ()):
    """torch's name of a precision; one of `more` computes with float32. Raises AccordError for one that there isn't."""
    import torch

    if precision not in PRECISIONS + more:
        what = f"unknown value {precision!r}"
        raise AccordError(Problem("option precision", what, f"use one of {', '.join(PRECISIONS + more)}"))
    return torch.float32 if precision in more else getattr(torch, precision)


def ready(net: Any, where: str, dtype: Any, compiled: bool = False):
    """A network on its device (`cuda` or `cpu`), in its precision; compiled for it at its first call, where wanted.

    On a GPU, tensors of convolutions lie channels last, as its tensor cores read them.
    """
    net = net.to(where, dtype)
    if where == "cuda":
        net = channels_last(net)
    if compiled:
        net.compile(backend=COMPILER)
    return net


def channels_last(net: Any):
    """A network whose convolutions compute on tensors (n, channels, height, width) that lie channels last."""
    import torch

    return net.to(memory_format=torch.channels_last)


@contextmanager
def computing(precision: str) -> Iterator[None]:
    """While it lasts, networks learn nothing; with `tf32`, a GPU rounds the factors of float32 products to 10 bits."""
    import torch

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high" if precision == TF32 else before)
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_float32_matmul_precision(before)


def tensors(path: Path) -> dict:
    """The tensors of a checkpoint by name: taken out of a training's record, without `module.` in front."""
    state = load_state(path)
    if not isinstance(state, dict):
        raise AccordError(Problem(path.name, NOT_PLAIN, "it must hold tensors by name"))
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
    got = {key: tuple(getattr(value, "shape", (None,))) for key, value in state.items() if key in wanted}
    wrong = sorted(key for key, shape in wanted.items() if got.get(key) != shape)
    if wrong:
        what = f"lacks {len(wrong)} of {len(wanted)} tensors of the network, or has other shapes ({wrong[0]}, ...)"
        raise AccordError(Problem(name, what, "it is a checkpoint of a different network than the adapter's"))
    with reading(name, "has tensors that the network can't take"):
        net.load_state_dict({key: value for key, value in state.items() if key in wanted}, strict=False)
    return net.eval()
