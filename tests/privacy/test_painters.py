import shutil

import numpy as np
import pytest

from accord.errors import AccordError
from accord.privacy import painters
from accord.privacy.painters import Request, StableDiffusionPainter

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
    with pytest.raises(AccordError, match=r"inpainting model 'nothing': there is no model_index.json in it"):
        painters.load(str(tmp_path / "nothing"))


def test_pickled_weights_are_not_loaded(tiny_checkpoint, tmp_path):
    folder = tmp_path / "pickled"
    shutil.copytree(tiny_checkpoint, folder)
    (folder / "unet" / "diffusion_pytorch_model.safetensors").rename(folder / "unet" / "diffusion_pytorch_model.bin")
    with pytest.raises(AccordError, match="inpainting model 'pickled': can't be loaded"):
        painters.load(str(folder))


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
