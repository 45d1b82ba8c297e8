"""How a network is run on a device: its scores hold whichever way."""

import numpy as np
import pytest
import torch
import transformers as hf
from tiny_nets import DETECTORS, entry, named, save

from accord.errors import AccordError
from accord.models import loading
from accord.models.adapters.nets import torch_nets
from accord.models.adapters.nets.torch_copies import Copies

SCORES, BOXES = 1e-5, 0.01
"""Most that scores in [0, 1] and boxes in px differ by where a network computes with float32 in another order."""


@pytest.fixture(scope="module")
def detector(tmp_path_factory):
    folder = tmp_path_factory.mktemp("detector")
    config, processor, settings = DETECTORS["detr"]
    save(folder, hf.AutoModelForObjectDetection, named(config(), "cat", "Person"), processor, **settings)

    def load(**options):
        told = entry(folder, "transformers:Detector", "person_localization", min_score=0.0, **options)
        return loading.load(told, folder, "detect")

    return load


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [rng.integers(0, 256, size, dtype=np.uint8) for size in ((80, 120, 3), (80, 120, 3), (200, 100, 3))]


def hold(found, expected) -> None:
    for one, other in zip(found, expected, strict=True):
        assert len(one.scores) == 7
        np.testing.assert_allclose(one.scores, other.scores, atol=SCORES)
        np.testing.assert_allclose(one.boxes, other.boxes, atol=BOXES)


def test_convolutions_that_read_channels_last_tell_the_same(detector, pictures):
    expected, changed = detector().detect(pictures), detector()
    torch_nets.channels_last(changed._model.net)
    weights = [value for value in changed._model.net.parameters() if value.ndim == 4 and value.shape[1] > 1]
    assert weights and all(value.is_contiguous(memory_format=torch.channels_last) for value in weights)
    hold(changed.detect(pictures), expected)


def test_tf32_tells_the_same_and_holds_for_no_other_network(detector, pictures):
    """On a GPU it rounds what it multiplies to 10 bits; elsewhere it is float32."""
    expected, changed, seen = detector().detect(pictures), detector(precision="tf32"), []
    before = torch.get_float32_matmul_precision()
    changed._model.net.register_forward_pre_hook(lambda *_: seen.append(torch.get_float32_matmul_precision()))
    found = changed.detect(pictures)
    assert set(seen) == {"high"} and torch.get_float32_matmul_precision() == before == "highest"
    hold(found, expected)
    changed._model.net.register_forward_pre_hook(lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        changed.detect(pictures)
    assert torch.get_float32_matmul_precision() == before


def test_a_precision_that_there_is_not_is_refused(detector):
    with pytest.raises(AccordError, match=r"unknown value 'fp8'\n    hint: use one of float32, .*, tf32"):
        detector(precision="fp8")


def test_a_compiled_network_tells_the_same(detector, pictures, monkeypatch):
    """Traced as torch.compile does, but run by torch, which needs no compiler."""
    expected = detector().detect(pictures)
    monkeypatch.setattr(torch_nets, "COMPILER", "eager")
    torch._dynamo.reset()
    changed = detector(compile=True)
    hold(changed.detect(pictures), expected)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] > 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_network_that_was_compiled_to_machine_code_tells_the_same(detector, pictures):
    torch._dynamo.reset()
    hold(detector(compile=True).detect(pictures), detector().detect(pictures))


def test_copies_are_joined_in_their_order():
    copies = Copies("cpu")
    begun = [copies.begun(torch.full((1, 2), value)) for value in (3, 1, 2)]
    assert copies.joined(begun).tolist() == [[3, 3], [1, 1], [2, 2]]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_copies_to_a_gpu_that_were_begun_by_threads_are_there_when_they_are_joined():
    from concurrent.futures import ThreadPoolExecutor

    copies = Copies("cuda")
    values = [torch.randint(0, 256, (1, 3, 500, 700), dtype=torch.uint8) for _ in range(64)]
    with ThreadPoolExecutor(8) as pool:
        joined = copies.joined(list(pool.map(copies.begun, values)))
    assert joined.is_cuda and torch.equal(joined.cpu(), torch.cat(values))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("options", [{}, {"precision": "tf32"}])
def test_a_gpu_tells_what_a_cpu_does(detector, pictures, options, monkeypatch):
    found = detector(**options).detect(pictures)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for one, other in zip(found, detector().detect(pictures), strict=True):
        np.testing.assert_allclose(np.sort(one.scores), np.sort(other.scores), atol=0.01)
