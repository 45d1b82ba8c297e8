"""Pictures of different sizes in one batch: each is answered as if it were alone."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
QUESTIONS = {
    "yunet": "detect",
    "mtcnn": "detect",
    "blazeface": "detect",
    "blazepeople_boxes": "detect",
    "blazepose": "estimate",
    "selfie_mask": "parse",
    "sface": "embed",
    "dlib_faces": "embed",
    "efficientnet": "embed",
}


@pytest.fixture(scope="module")
def mixed(photo) -> list[np.ndarray]:
    """A tall picture, a wide one, and a small one."""
    tall = photo("P001", "amateur_posture")
    return [tall[:300, :150], photo("P001", "studio_portrait")[100:500:2, :448:2], tall[40:150:2, 150:260:2]]


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_picture_is_answered_as_if_it_were_alone(name, mixed, adapter):
    asked = getattr(adapter(name), QUESTIONS[name])
    boxes = [np.array([0, 0, picture.shape[1], picture.shape[0]], float) for picture in mixed]

    def answers(chosen: slice) -> list:
        given = (mixed[chosen], boxes[chosen]) if QUESTIONS[name] == "estimate" else (mixed[chosen],)
        return list(asked(*given))

    together = answers(slice(None))
    assert len(together) == len(mixed)
    for number, answer in enumerate(together):
        [alone] = answers(slice(number, number + 1))
        for part, same in zip(flat(answer), flat(alone), strict=True):
            # Sums over a batch may be taken in another order.
            np.testing.assert_allclose(part, same, rtol=1e-4, atol=1e-5)


MORE = {"blazepeople_masks": "parse", "blazeparts": "parts", "facemesh": "label", "bicubic": "restore"}


@pytest.mark.parametrize("name", QUESTIONS | MORE)
def test_a_picture_asked_alone_is_answered_the_same_whatever_was_asked_before(name, mixed, adapter):
    """To the last bit: rows of small models are kept from one run to the next (accord.evaluate.asking.together)."""
    method = (QUESTIONS | MORE)[name]
    asked = getattr(adapter(name), method)

    def answered(picture: np.ndarray):
        boxes = (
            [[np.array([0, 0, picture.shape[1], picture.shape[0]], float)]] if method in ("estimate", "parts") else []
        )
        return asked([picture], *boxes)

    forth, back = ([flat(answered(picture)) for picture in mixed[::way]] for way in (1, -1))
    for once, again in zip(forth, back[::-1], strict=True):
        for part, same in zip(once, again, strict=True):
            np.testing.assert_array_equal(part, same)


def flat(answer) -> list[np.ndarray]:
    """The arrays of an answer, and its numbers."""
    if answer is None or isinstance(answer, str):
        return []
    if isinstance(answer, np.ndarray | float | int):
        return [np.asarray(answer)]
    if isinstance(answer, dict):
        return flat(list(answer.values()))
    return [part for inner in answer for part in flat(inner)]


@pytest.mark.parametrize(("name", "flags"), [("yunet", []), ("detr", ["--gpu", "--tiny"])])
def test_the_benchmark_measures_ours_beside_the_plain_loop(capsys, monkeypatch, name, flags):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    spec = importlib.util.spec_from_file_location("benchmark", ROOT / "benchmarks/evaluate.py")
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    benchmark.main(["--pictures", "3", "--batch", "2", "--side", "160", "--models", name, *flags])
    head, _, *table = capsys.readouterr().out.splitlines()
    names, _, line = [[cell.strip() for cell in row.strip("|").split("|")] for row in table]
    told = dict(zip(names, line, strict=True))
    assert head.startswith("3 pictures of 160 px, batches of 2, ")
    assert told["model"] == name and 0 <= float(told["waits"].rstrip("%")) <= 100
    ours, *others = (float(told[f"{loop}/CPU s"]) for loop in ("ours", "ahead", "plain"))
    assert ours > 0 and float(told["ours/s"]) > 0
    mains = [told[f"{loop} main ms"] for loop in ("ours", "ahead", "plain")]
    assert mains == ["-"] * 3 if not flags else min(map(float, mains)) > 0
    assert float(told["ratio"]) == pytest.approx(ours / max(others), abs=0.02, rel=0.1)
