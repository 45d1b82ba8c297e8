import shutil
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from painting_cases import run_paint
from PIL import Image

from accord.engine import provenance
from accord.errors import AccordError
from accord.privacy.painting import checkpoints, chosen, painters
from accord.privacy.painting.request import Job, Request
from accord.privacy.painting.stable import StableDiffusionPainter, sample

REQUEST = Request("an empty street", "person", 14.0, 7, 2)


@pytest.fixture
def unknown(picture):
    mask = np.zeros(picture.shape[:2], bool)
    mask[60:150, 80:130] = True
    return mask


def test_a_checkpoint_is_loaded_by_its_path_and_paints(tiny_checkpoint, picture, unknown):
    painter = painters.load(str(tiny_checkpoint))
    assert isinstance(painter, StableDiffusionPainter)
    assert painter.side == 32
    assert type(painter.pipeline.scheduler).__name__ == "DDIMScheduler"
    first, second = painter.paint(picture, unknown, REQUEST), painter.paint(picture, unknown, REQUEST)
    assert first.shape == picture.shape and first.dtype == np.uint8
    assert (first == second).all()


@pytest.mark.parametrize("change", [{"seed": 8}, {"guidance": 1.5}, {"prompt": "grass"}, {"negative": "wall"}])
def test_all_that_is_asked_for_matters(tiny_checkpoint, picture, unknown, change):
    painter = painters.load(str(tiny_checkpoint))
    other = Request(**{**REQUEST.__dict__, **change})
    assert (painter.paint(picture, unknown, REQUEST) != painter.paint(picture, unknown, other)).any()


def test_what_is_hidden_does_not_matter(tiny_embedded, picture, unknown):
    other = picture.copy()
    other[unknown] = 255
    painted = [tiny_embedded.paint(crop, unknown, REQUEST)[unknown] for crop in (picture, other)]
    assert (painted[0] == painted[1]).all()


def test_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(AccordError, match=r"inpainting model 'nothing': it has no model_index.json"):
        painters.load(str(tmp_path / "nothing"))


def test_pickled_weights_are_not_loaded(tiny_checkpoint, tmp_path):
    folder = tmp_path / "pickled"
    shutil.copytree(tiny_checkpoint, folder)
    (folder / "unet" / "diffusion_pytorch_model.safetensors").rename(folder / "unet" / "diffusion_pytorch_model.bin")
    with pytest.raises(AccordError, match="inpainting model 'pickled': can't be loaded"):
        painters.load(str(folder))


def test_half_precision_is_for_a_gpu():
    asked = [("auto", "cuda"), ("auto", "cpu"), ("float32", "cuda"), ("bfloat16", "cpu")]
    assert [checkpoints.chosen(*one) for one in asked] == ["float16", "float32", "float32", "bfloat16"]


@pytest.fixture
def on_a_gpu(monkeypatch):
    """The processor stands in for a GPU: it computes with the precision of one."""
    real = checkpoints.chosen
    monkeypatch.setattr(checkpoints, "chosen", lambda precision, where: real(precision, "cuda"))


def test_on_a_gpu_all_but_the_autoencoder_is_of_half_precision_and_paints_the_same(
    tiny_checkpoint, picture, unknown, on_a_gpu, monkeypatch
):
    half = painters.load(str(tiny_checkpoint))
    parts = [half.pipeline.unet, half.pipeline.text_encoder, half.pipeline.vae]
    assert [part.dtype for part in parts] == [torch.float16, torch.float16, torch.float32]
    monkeypatch.undo()
    full = painters.load(str(tiny_checkpoint))
    assert full.pipeline.unet.dtype == torch.float32
    fills = [painter.paint(picture, unknown, REQUEST).astype(int) for painter in (half, full)]
    difference = np.abs(fills[0] - fills[1])
    assert difference.max() > 0 and difference.mean() < 1


def test_a_batch_is_for_a_gpu(monkeypatch):
    where = {"unet": SimpleNamespace(config=SimpleNamespace(sample_size=64)), "vae_scale_factor": 8}
    for device, batch in (("cuda", 4), ("cpu", 1)):
        pipeline = SimpleNamespace(device=torch.device(device), **where)
        monkeypatch.setattr(checkpoints, "load", lambda files, precision, made=pipeline: made)
        painter = StableDiffusionPainter({}, batch=4)
        assert (painter.batch, painter.side) == (batch, 512)


def test_numbers_that_leave_the_precision_are_told(tiny_checkpoint, picture, unknown, monkeypatch):
    painter = painters.load(str(tiny_checkpoint))
    monkeypatch.setattr(painter.pipeline.vae, "decode", lambda latent, return_dict: (latent / 0,))
    with pytest.raises(AccordError, match=r"contains numbers that are not finite\n    hint: .*precision: float32"):
        painter.paint(picture, unknown, REQUEST)


@pytest.fixture
def fetched(tiny_checkpoint, tmp_path):
    """An entry whose files lie as `accord weights fetch` puts them, the U-Net under its half-precision name."""
    folder = tmp_path / "owner/checkpoint"
    shutil.copytree(tiny_checkpoint, folder)
    plain = folder / "unet/diffusion_pytorch_model.safetensors"
    plain.rename(plain.with_name("diffusion_pytorch_model.fp16.safetensors"))
    files = {
        f"file_{number}": {"hub": "owner/checkpoint", "path": path.relative_to(folder).as_posix(),
                           "sha256": provenance.sha256(path)}
        for number, path in enumerate(sorted(path for path in folder.rglob("*") if path.is_file()))
    }  # fmt: skip
    plain.write_bytes(b"nobody listed this")
    adapter = "accord.privacy.stable:StableDiffusionPainter"
    return {"name": "mine", "task": "inpainting", "adapter": adapter, "weights": files, "batch": 8, "options": {}}


def test_an_entry_is_loaded_from_the_files_that_it_lists_alone(fetched, tiny_checkpoint, tmp_path, picture, unknown):
    painter = painters.load("mine@1", 1, fetched, tmp_path)
    assert (painter.paint(picture, unknown, REQUEST)
            == painters.load(str(tiny_checkpoint)).paint(picture, unknown, REQUEST)).all()  # fmt: skip
    assert painter.sha256 == painters.stated(fetched["weights"]) != painters.digest(tiny_checkpoint)


def test_an_entry_with_a_changed_file_or_without_an_index_is_refused(fetched, tmp_path):
    index = next(name for name, file in fetched["weights"].items() if file["path"] == "model_index.json")
    files = {name: file for name, file in fetched["weights"].items() if name != index}
    with pytest.raises(AccordError, match=r"lists no model_index.json"):
        painters.load("mine@1", 1, {**fetched, "weights": files}, tmp_path)
    (tmp_path / "owner/checkpoint/unet/config.json").write_text("{}")
    with pytest.raises(AccordError, match=r"model mine: its weights .*unet/config.json have sha256"):
        painters.load("mine@1", 1, fetched, tmp_path)


def test_the_sum_of_an_entry_is_that_of_its_files(tiny_checkpoint):
    files = [path for path in tiny_checkpoint.rglob("*") if path.is_file()]
    told = {str(n): {"path": path.relative_to(tiny_checkpoint).as_posix(), "sha256": provenance.sha256(path)}
            for n, path in enumerate(files)}  # fmt: skip
    assert painters.stated(told) == painters.digest(tiny_checkpoint)


def test_a_digest_covers_names_and_contents(tmp_path):
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "a").write_text("1")
    (tmp_path / "b").write_text("2")
    first = painters.digest(tmp_path)
    (tmp_path / "b").write_text("3")
    second = painters.digest(tmp_path)
    (tmp_path / "b").rename(tmp_path / "c")
    assert len({first, second, painters.digest(tmp_path)}) == 3


def test_a_changed_embedded_model_is_refused(tmp_path):
    (tmp_path / "weights").write_text("1")
    with pytest.raises(AccordError, match=r"the embedded inpainting model: sha256 is [0-9a-f]{64}, not 00"):
        painters.EmbeddedPainter.load(tmp_path, "00")


@pytest.fixture
def crop(picture):
    """A crop of the tiny checkpoint's own size, and a hole in it."""
    hole = np.zeros((32, 32), bool)
    hole[8:24, 10:22] = True
    return picture[:32, :32], hole


def test_one_job_is_what_the_pipeline_itself_paints(tiny_checkpoint, crop):
    painter = painters.load(str(tiny_checkpoint))
    painter.pipeline.set_progress_bar_config(disable=True)
    reference = painter.pipeline(
        prompt=REQUEST.prompt,
        negative_prompt=REQUEST.negative,
        image=Image.fromarray(crop[0]),
        mask_image=Image.fromarray(crop[1].astype(np.uint8) * 255),
        height=32,
        width=32,
        num_inference_steps=REQUEST.steps,
        guidance_scale=REQUEST.guidance,
        generator=torch.Generator().manual_seed(REQUEST.seed),
    ).images[0]
    ours = sample(painter.pipeline, [Job(*crop, REQUEST)])[0]
    assert np.abs(ours.astype(int) - np.asarray(reference)).max() <= 1


def test_jobs_of_one_call_are_those_of_several_to_one_level(tiny_checkpoint, crop):
    pipeline = painters.load(str(tiny_checkpoint)).pipeline
    changes = [{}, {"seed": 8, "guidance": 3.0}, {"prompt": "grass", "guidance": 16.0}]
    jobs = [Job(*crop, Request(**{**REQUEST.__dict__, **change})) for change in changes]
    together = np.stack(sample(pipeline, jobs)).astype(int)
    alone = np.stack([sample(pipeline, [job])[0] for job in jobs]).astype(int)
    assert np.abs(together - alone).max() <= 1
    assert (together[0] != together[1]).any() and (together[0] != together[2]).any()


def test_on_a_processor_a_batch_changes_no_byte(tiny_checkpoint, picture, unknown):
    painter = painters.load(str(tiny_checkpoint), batch=4)
    jobs = [Job(picture, unknown, Request(**{**REQUEST.__dict__, "seed": seed})) for seed in (1, 2, 3)]
    together = painter.paint_all(jobs)
    assert all((fill == painter.paint(*job)).all() for fill, job in zip(together, jobs, strict=True))


def test_the_embedded_model_paints_many_as_it_paints_one(tiny_embedded, picture, unknown):
    jobs = [Job(picture, unknown, Request(**{**REQUEST.__dict__, "seed": seed})) for seed in (1, 2)]
    together = tiny_embedded.paint_all(jobs)
    assert all((fill == tiny_embedded.paint(*job)).all() for fill, job in zip(together, jobs, strict=True))


def test_a_large_hole_is_sharpened_in_tiles(tiny_checkpoint, picture, unknown, monkeypatch):
    painter, calls = painters.load(str(tiny_checkpoint)), []

    def seen(pipeline, jobs, strength=1.0):
        calls.append((jobs[0].crop.shape, strength, jobs[0].request.seed))
        return sample(pipeline, jobs, strength)

    monkeypatch.setattr("accord.privacy.painting.stable.sample", seen)
    fill = painter.paint(picture, unknown, REQUEST)
    whole, *rest = calls
    assert whole == ((32, 32, 3), 1.0, REQUEST.seed)
    assert len(rest) >= 6 and {(shape, strength) for shape, strength, _ in rest} == {((32, 32, 3), 0.5)}
    assert len({seed for *_, seed in rest}) == len(rest)
    monkeypatch.setattr(StableDiffusionPainter, "_sharpened", lambda self, fill, job: fill)
    assert (fill[unknown] != painter.paint(picture, unknown, REQUEST)[unknown]).any()


@pytest.mark.parametrize("kind", ["checkpoint", "embedded"])
def test_people_beside_the_hole_do_not_matter_to_what_is_painted(request, kind, picture, unknown):
    """Whatever somebody away from the hole looks like, the fill hardly changes; it does where they are shown."""
    fixture = request.getfixturevalue(f"tiny_{kind}")
    painter = painters.load(str(fixture)) if kind == "checkpoint" else fixture
    other, barred = picture.copy(), np.zeros_like(unknown)
    barred[0:40] = True
    other[0:36] = (255, 0, 0)

    def apart(*more):
        fills = [painter.paint(crop, unknown, REQUEST, *more)[unknown].astype(int) for crop in (picture, other)]
        return np.abs(fills[0] - fills[1]).mean()

    assert apart(barred) < 0.5 < apart()


def test_what_a_large_hole_hides_does_not_matter(tiny_checkpoint, picture, unknown):
    painter, other = painters.load(str(tiny_checkpoint)), picture.copy()
    other[unknown] = 255
    fills = [painter.paint(crop, unknown, REQUEST)[unknown] for crop in (picture, other)]
    assert (fills[0] == fills[1]).mean() > 0.999


def test_a_fill_holds_nothing_of_what_was_in_the_hole(tmp_path):
    random = np.random.default_rng(1)
    crop = random.integers(0, 256, (96, 120, 3), dtype=np.uint8)
    hole = np.zeros((96, 120), bool)
    hole[20:70, 30:90] = True
    other = np.where(hole[..., None], random.integers(0, 256, crop.shape, dtype=np.uint8), crop)
    painter = painters.load("fill")
    first, second = painter.paint_all([Job(one, hole, REQUEST) for one in (crop, other)])
    assert (first[hole] == second[hole]).all()
    assert first[hole].std() < crop[hole].std() / 4  # smooth, whatever was there
    assert chosen.missing("fill", None, tmp_path) == [] and painters.identity("fill") == painter.sha256


def test_photographs_are_filled_and_proven_without_a_model(shard, tmp_path):
    delivery = shard(regions=[("license_plate", [60, 70, 110, 70, 110, 100, 60, 100])])
    delivery["images"]["rendered"] = False
    made = run_paint(delivery, tmp_path / "out.tar", model="fill")
    assert set(made.edits["method"]) == {"membrane"} and set(made.edits["painted"] > 0) == {True}
    assert set(made.edits["model_sha256"]) == {painters.FILL_SHA256} and len(made.pictures) == 1
    proven = made.findings[made.findings["check"].str.startswith("privacy.")]
    assert "fail" not in set(proven["verdict"])
