"""A training by two processes: the figures of one, the same bytes after a kill, one writer, nobody left behind."""

import multiprocessing
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch import distributed, nn

import grid_faces as faces
from accord.errors import AccordError
from accord.train import split
from accord.train.detectors.xception import Xception
from accord.train.learning import checkpoint, processes, training, worker
from accord.train.learning.loop import CHECKPOINT, Task, learn
from accord.train.learning.plan import Plan, of_epochs
from accord.train.losses.sam import SAM
from accord.train.pictures import reading

FORKED = multiprocessing.get_context("fork")
PLAN = Plan(seed=3, steps=7, batch=4, rate=0.05, schedule="cosine", every=2)
PIXELS = torch.from_numpy(np.random.default_rng(0).normal(size=(18, 3, 16, 16)))
LABELS = (PIXELS.mean((1, 2, 3)) > 0).double()


def task(sharp: bool = False) -> Task:
    """In float64, so that nothing but rounding in the 16th digit is left between one process and two."""
    torch.manual_seed(0)
    net = nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 14**2, 1)
    ).double()

    def loss(net, batch):
        return nn.functional.binary_cross_entropy_with_logits(net(batch[0])[:, 0], batch[1])

    def metric(net):
        return float(net(PIXELS).sigmoid().mean())

    made = torch.optim.SGD(net.parameters(), lr=1.0, momentum=0.9)
    optimiser = SAM(net, made) if sharp else made
    return Task(net, optimiser, len(PIXELS), lambda some: (PIXELS[some], LABELS[some]), loss, "a", metric)


def final(folder, sharp=False):
    one = task(sharp)
    history = learn(one, PLAN, folder)
    if processes.number() == 0:
        checkpoint.save_weights(folder / "model.safetensors", one.net)
        history.to_csv(folder / "history.csv")


def together(count, function, *given) -> list[int]:
    """Exit codes of so many processes that run a function together, forked from this one."""
    here = given[0] / f"meeting{time.monotonic_ns()}"

    def one(number):
        distributed.init_process_group("gloo", init_method=f"file://{here}", rank=number, world_size=count)
        function(*given)
        distributed.destroy_process_group()

    running = [FORKED.Process(target=one, args=(number,)) for number in range(count)]
    for process in running:
        process.start()
    for process in running:
        process.join()
    return [process.exitcode for process in running]


def made(folder) -> list[bytes]:
    return [(folder / name).read_bytes() for name in ("model.safetensors", "history.csv")]


@pytest.fixture
def folders(tmp_path):
    for name in ("one", "two", "killed"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.mark.parametrize("sharp", [False, True], ids=["SGD", "SAM"])
def test_two_processes_learn_what_one_does(folders, sharp):
    final(folders / "one", sharp)
    assert together(2, final, folders / "two", sharp) == [0, 0]
    one, two = (np.genfromtxt(folders / name / "history.csv", delimiter=",")[1:] for name in ("one", "two"))
    np.testing.assert_allclose(two, one, rtol=1e-10)
    alone, joint = (load_file(folders / name / "model.safetensors") for name in ("one", "two"))
    assert alone.keys() == joint.keys() and int(alone["1.num_batches_tracked"]) == PLAN.steps
    for name, value in alone.items():
        torch.testing.assert_close(joint[name], value, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("process", [0, 1])
def test_two_processes_of_which_one_is_killed_end_in_the_same_bytes(folders, process):
    """SIGKILL in step 6; checkpoints are those of steps 2 and 4."""

    def dying(folder):
        one, calls = task(), []

        def loss(net, batch):
            calls.append(1)
            if processes.number() == process and len(calls) == 6:
                os.kill(os.getpid(), signal.SIGKILL)
            return one.loss(net, batch)

        learn(Task(one.net, one.optimiser, one.count, one.batch, loss, "a", one.metric), PLAN, folder)

    assert together(2, final, folders / "two") == [0, 0]
    codes = together(2, dying, folders / "killed")
    assert codes[process] == -signal.SIGKILL and 0 not in codes
    assert len(checkpoint.history(folders / "killed" / CHECKPOINT)) == 4
    assert together(2, final, folders / "killed") == [0, 0]
    assert made(folders / "killed") == made(folders / "two")


def test_the_first_process_alone_writes(folders):
    def noting(folder):
        replace = checkpoint.files.replace

        def writing(path, data):
            with (folder / "writers").open("a") as file:
                file.write(str(processes.number()))
            replace(path, data)

        checkpoint.files.replace = writing
        final(folder)

    assert together(2, noting, folders / "two") == [0, 0]
    assert (folders / "two/writers").read_text() == "0" * 5


def test_what_cannot_be_shared_out_is_refused():
    processes.require_parts(12, 3)
    with pytest.raises(AccordError, match=r"32 pictures can't be shared by 3 processes evenly(.|\n)*multiple of 3"):
        processes.require_parts(32, 3)


def test_all_batch_norms_become_those_of_all_processes():
    net = Xception(1 / 16, 1)
    before = {name: value.data_ptr() for name, value in net.state_dict().items()}
    processes._join_norms(net)
    norms = [part for part in net.modules() if isinstance(part, nn.BatchNorm2d)]
    assert norms and all(type(part) is processes.JointNorm for part in norms)
    assert {name: value.data_ptr() for name, value in net.state_dict().items()} == before


def launched(folder, shards, chosen) -> None:
    where = reading.places(list(chosen["image"]), shards.derivatives, shards.files)
    spec = faces.spec(epochs=8, every=2, processes=2)
    plan = of_epochs(spec, int((chosen["split"] == "train").sum()))
    history = training.train(chosen, where, spec, plan, "source", folder / "model.safetensors", 8)
    history.to_csv(folder / "history.csv", index=False)


@pytest.mark.slow
def test_processes_that_torchrun_starts_end_with_whoever_started_them_and_go_on(folders):
    """SIGKILL to the process that started torchrun: the others leave a checkpoint and are gone."""
    shards = faces.make(folders)
    chosen = split.run(
        shards.sources, shards.people, shards.attributes, shards.terms, model="a", data={}, groups=[]
    ).pictures
    launched(folders / "two", shards, chosen)
    killed = FORKED.Process(target=launched, args=(folders / "killed", shards, chosen))
    killed.start()
    kept, given = (folders / "killed" / name for name in ("checkpoint.safetensors.partial", "processes.json.partial"))
    while not kept.is_file() and killed.is_alive():
        time.sleep(0.01)
    killed.kill()
    killed.join()
    assert killed.exitcode == -signal.SIGKILL
    assert all(image not in given.read_text() for image in chosen["image"])
    end = time.monotonic() + 2 * worker.GRACE
    while (left := _running(str(given))) and time.monotonic() < end:
        time.sleep(0.1)
    assert left == []
    assert 0 < len(checkpoint.history(kept)) < 24
    launched(folders / "killed", shards, chosen)
    assert made(folders / "killed") == made(folders / "two")
    assert sorted(path.name for path in (folders / "killed").iterdir()) == ["history.csv", "model.safetensors"]


def _running(word: str) -> list[str]:
    """Processes whose command line has a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found += [path.parent.name] if word in path.read_text().split("\0") else []
    return found
