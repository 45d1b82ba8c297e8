"""The training loop: the same bytes however often it is killed, and clear errors."""

import os
import random
import signal
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from accord import files
from accord.errors import AccordError
from accord.train.learning import checkpoint, loop
from accord.train.learning.loop import CHECKPOINT, Task, learn
from accord.train.learning.plan import Plan
from accord.train.losses.sam import SAM

STEPS = 11
PLAN = Plan(seed=3, steps=STEPS, batch=4, rate=0.05, schedule="cosine", every=2)
PIXELS = torch.from_numpy(np.random.default_rng(0).normal(size=(18, 3, 8, 8))).float()
LABELS = (PIXELS.mean((1, 2, 3)) > 0).float()


class KilledError(Exception):
    pass


def task(loss_of=None, optimiser=torch.optim.SGD, source="a", sharp=False, **options) -> Task:
    torch.manual_seed(0)
    net = nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Dropout(0.3), nn.Linear(144, 1)
    )

    def loss(net, batch):
        pixels, labels = batch
        return nn.functional.binary_cross_entropy_with_logits(net(pixels)[:, 0], labels)

    def accuracy(net):
        return float(((net(PIXELS)[:, 0] > 0) == (LABELS > 0)).float().mean())

    made = optimiser(net.parameters(), lr=1.0, **options)
    made = SAM(net, made) if sharp else made
    return Task(net, made, len(PIXELS), lambda some: (PIXELS[some], LABELS[some]), loss_of or loss, source, accuracy)


def final(folder, **options) -> tuple[bytes, bytes]:
    one = task(**options)
    history = learn(one, PLAN, folder)
    checkpoint.save_weights(folder / "model.safetensors", one.net)
    return (folder / "model.safetensors").read_bytes(), history.to_csv().encode()


OPTIMISERS = [
    {"momentum": 0.9, "weight_decay": 5e-3},
    {"optimiser": torch.optim.Adam},
    {},
    {"sharp": True, "momentum": 0.9},
]


@pytest.mark.parametrize("options", OPTIMISERS, ids=["momentum", "adam", "plain", "sharp"])
def test_a_run_that_is_killed_anywhere_ends_in_the_same_bytes(tmp_path, monkeypatch, options):
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    expected = final(tmp_path / "whole", **options)
    dice = random.Random(0)
    update, fsync, rename = loop._update, files.os.fsync, files.Path.replace
    calls, ends = [0], []

    def dying(real):
        def call(*given):
            calls[0] += 1
            if calls[0] == ends[-1]:
                raise KilledError
            return real(*given)

        return call

    monkeypatch.setattr(loop, "_update", dying(update))
    monkeypatch.setattr(files.os, "fsync", dying(fsync))
    monkeypatch.setattr(files.Path, "replace", dying(rename))
    kills = 0
    while True:
        calls[0] = 0
        ends.append(dice.randrange(1, 12) if kills < 12 else 0)
        try:
            got = final(tmp_path / "killed", **options)
            break
        except KilledError:
            kills += 1
    assert kills >= 5
    assert got == expected


@pytest.mark.parametrize("end", range(1, 26))
def test_each_moment_to_be_killed_at(tmp_path, monkeypatch, end):
    """Steps, the end of a write before it lies on the disk, and the moment before the file gets its name."""
    calls = [0]

    def dying(real):
        def call(*given):
            calls[0] += 1
            if calls[0] == end:
                raise KilledError
            return real(*given)

        return call

    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    expected = final(tmp_path / "whole")
    with monkeypatch.context() as patched:
        patched.setattr(loop, "_update", dying(loop._update))
        patched.setattr(files.os, "fsync", dying(files.os.fsync))
        patched.setattr(files.Path, "replace", dying(files.Path.replace))
        with pytest.raises(KilledError):
            final(tmp_path / "killed")
    assert final(tmp_path / "killed") == expected


def test_a_half_written_file_is_not_read(tmp_path):
    expected = final(tmp_path)
    (tmp_path / f"{CHECKPOINT}.partial").write_bytes(b"half")
    assert final(tmp_path) == expected


def test_training_learns_and_tells_its_history(tmp_path):
    history = learn(task(), Plan(seed=1, steps=60, batch=6, rate=0.1, every=20), tmp_path)
    assert history["step"].tolist() == list(range(1, 61))
    assert history["metric"].notna().to_numpy().nonzero()[0].tolist() == [19, 39, 59]
    assert history["loss"].tail(10).mean() < history["loss"].head(10).mean() / 2
    assert (history["rate"] == 0.1).all()


def test_a_seed_is_a_training_of_its_own(tmp_path):
    seen = {}
    for seed in (1, 2):
        (tmp_path / str(seed)).mkdir()
        seen[seed] = learn(task(), Plan(seed=seed, steps=3, batch=4, rate=0.1), tmp_path / str(seed))["loss"].tolist()
    assert seen[1] != seen[2]


def test_an_epoch_shows_each_picture_once_in_an_order_of_its_own():
    plan = Plan(seed=5, steps=9, batch=4, rate=1.0)
    epochs = [np.concatenate([plan.pictures_at(step, 13) for step in range(e * 3, e * 3 + 3)]) for e in range(3)]
    assert all(len(set(epoch)) == 12 and set(epoch) <= set(range(13)) for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) == 3


def test_the_cosine_falls_from_the_rate_to_nothing():
    plan = Plan(seed=0, steps=10, batch=1, rate=0.4, schedule="cosine")
    assert plan.rate_at(0) == pytest.approx(0.4)
    assert plan.rate_at(5) == pytest.approx(0.2)
    assert plan.rate_at(10) == pytest.approx(0, abs=1e-12)


def test_all_wrong_settings_are_told_at_once():
    with pytest.raises(AccordError) as caught:
        Plan(seed=-1, steps=0, batch=4, rate=float("nan"), schedule="steps", precision="float64")
    text = str(caught.value)
    assert "5 problems" in text and "setting rate: is nan" in text and "use one of constant, cosine" in text


def test_what_a_training_cannot_be_done_with(tmp_path):
    with pytest.raises(AccordError, match=r"18 pictures are fewer than a batch has \(19\)"):
        learn(task(), Plan(seed=0, steps=1, batch=19, rate=1.0), tmp_path)
    with pytest.raises(AccordError, match="the loss of step 1 is nan"):
        learn(task(lambda net, batch: net(batch[0]).sum() * float("nan")), PLAN, tmp_path)


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    final(tmp_path)
    with pytest.raises(AccordError, match="other settings, pictures or code"):
        final(tmp_path, source="b")
    with pytest.raises(AccordError, match="doesn't fit the network or its optimiser"):
        bad = task()
        bad.net[5] = nn.Linear(144, 2)
        learn(bad, PLAN, tmp_path)
    (tmp_path / CHECKPOINT).write_bytes(b"x" * 100)
    with pytest.raises(AccordError, match="not a readable checkpoint"):
        final(tmp_path)


def test_a_training_that_is_asked_to_end_leaves_a_checkpoint_of_the_step_at_hand(tmp_path):
    """SIGTERM in the middle of step 6, three steps before a checkpoint is due."""
    asked, given = task(), []

    def loss(net, batch):
        given.append(batch)
        if len(given) == 6:
            os.kill(os.getpid(), signal.SIGTERM)
        return asked.loss(net, batch)

    plan = replace(PLAN, every=9)
    with pytest.raises(SystemExit) as caught:
        learn(replace(asked, loss=loss), plan, tmp_path)
    assert caught.value.code == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    again, whole = task(), task()
    history = learn(
        replace(again, loss=lambda net, batch: given.append(batch) or again.loss(net, batch)), plan, tmp_path
    )
    assert len(given) == STEPS
    (tmp_path / "whole").mkdir()
    pd.testing.assert_frame_equal(history, learn(whole, plan, tmp_path / "whole"))
    for name, value in whole.net.state_dict().items():
        assert torch.equal(value, again.net.state_dict()[name])


def test_bfloat16_learns_nearly_what_float32_does(tmp_path):
    """Losses have 8 binary digits: within 2% of those in float32; weights and the optimiser stay float32."""
    found = {}
    for precision in ("float32", "bfloat16"):
        (tmp_path / precision).mkdir()
        one = task(momentum=0.9)
        found[precision] = learn(one, replace(PLAN, precision=precision), tmp_path / precision)["loss"].to_numpy()
        assert {value.dtype for value in one.net.parameters()} == {torch.float32}
    assert np.isfinite(found["bfloat16"]).all()
    assert found["bfloat16"] == pytest.approx(found["float32"], rel=0.02)
    assert (found["bfloat16"] != found["float32"]).any()


def test_the_generator_of_others_is_left_alone(tmp_path):
    torch.manual_seed(9)
    expected = torch.rand(3)
    one = task()
    torch.manual_seed(9)
    learn(one, PLAN, tmp_path)
    assert torch.equal(torch.rand(3), expected)
    assert not torch.are_deterministic_algorithms_enabled()
