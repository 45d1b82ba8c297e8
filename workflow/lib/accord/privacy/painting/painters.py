"""The models that paint, behind one interface: the embedded one, and those that models.yaml or a folder holds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.engine import resources
from accord.errors import AccordError, Problem
from accord.privacy.fitting import texture
from accord.privacy.painting.chosen import EMBEDDED as EMBEDDED
from accord.privacy.painting.chosen import FILL as FILL
from accord.privacy.painting.diffusion import SIDE, Inpainter
from accord.privacy.painting.request import Job, Painter, Request, digest, stated

EMBEDDED_FOLDER = resources.beside(__name__) / "model"
FILL_SHA256 = hashlib.sha256(b"membrane").hexdigest()
"""What tables of edits call a fill by: there are no weights."""
EMBEDDED_SHA256 = "fbafd7f47b49a0d346be94fc2e7bf4cbf093f4492af54a3cf171b66024ebffce"


def load(model: str, batch: int = 1, entry: dict | None = None, weights: Path | None = None) -> Painter:
    """The painter that the config names: `embedded`, `fill`, the folder of an inpainting checkpoint, or an entry.

    batch: crops in one model call on a GPU; entry: what `Models.spec` tells of an entry of models.yaml; weights: the
    folder of files that no package ships. Raises AccordError where the model is not there, or not complete.
    """
    if entry is not None:
        from accord.models import loading

        told = {**entry["options"], "batch": batch, "sha256": stated(entry["weights"])}
        return loading.load({**entry, "options": told}, weights or Path(), "paint_all")
    if model == FILL:
        return FillPainter()
    if model == EMBEDDED:
        return EmbeddedPainter.load()
    from accord.privacy.painting.stable import StableDiffusionPainter

    return StableDiffusionPainter.load(Path(model), batch)


def identity(model: str, entry: dict | None = None) -> Any:
    """What tells one model that `load` gives from another, without loading it: what JSON can say."""
    if entry is not None:
        return entry
    own = {EMBEDDED: EMBEDDED_SHA256, FILL: FILL_SHA256}
    return own[model] if model in own else digest(Path(model))


@dataclass(frozen=True)
class EmbeddedPainter:
    """The diffusion model that ships with this package (docs/inpainting.md).

    It runs on the processor, where a call of several crops takes as long as several calls, and where the last bits of
    a float depend on the size of the call: `batch` is 1, so that a picture depends on nothing but itself.
    """

    model: Inpainter
    sha256: str
    side: int = SIDE
    batch: int = 1
    method: str = "diffusion"
    guided: bool = True

    @classmethod
    def load(cls, folder: Path = EMBEDDED_FOLDER, expected: str = EMBEDDED_SHA256) -> EmbeddedPainter:
        """Raises AccordError where the files are not those that were shipped."""
        from accord.privacy.painting.diffusion import load

        found = digest(folder)
        if found != expected:
            hint = "the package is damaged: reinstall it"
            raise AccordError(Problem("the embedded inpainting model", f"sha256 is {found}, not {expected}", hint))
        return cls(load(folder), found)

    def paint(
        self, crop: np.ndarray, unknown: np.ndarray, request: Request, barred: np.ndarray | None = None
    ) -> np.ndarray:
        """One job alone."""
        return self.paint_all([Job(crop, unknown, request, barred)])[0]

    def paint_all(self, jobs: Sequence[Job]) -> list[np.ndarray]:
        """See Painter. Pieces of the crop at its own size make the detail: large holes need no tiles."""
        small = [texture.shrink(job.crop, job.hidden, SIDE) for job in jobs]
        parts = [slice(start, start + self.batch) for start in range(0, len(jobs), self.batch)]
        drafts = [draft for part in parts for draft in self._drafts(small[part], jobs[part])]
        return [
            texture.fit_with_pieces(draft, job.crop, job.unknown, hidden)
            for draft, job, (_, hidden) in zip(drafts, jobs, small, strict=True)
        ]

    def _drafts(self, small: list[tuple[np.ndarray, np.ndarray]], jobs: Sequence[Job]) -> list[np.ndarray]:
        """What the diffusion model makes of small crops of the same number of steps, in one call for each step."""
        from torch import from_numpy

        from accord.privacy.painting.sampling import sample

        images = from_numpy(np.stack([crop for crop, _ in small])).permute(0, 3, 1, 2).float() / 127.5 - 1
        holes = from_numpy(np.stack([hidden for _, hidden in small]))[:, None]
        painted = sample(self.model, images, holes, [job.request for job in jobs])
        return [((one.permute(1, 2, 0).numpy() + 1) * 127.5 + 0.5).clip(0, 255).astype(np.uint8) for one in painted]


@dataclass(frozen=True)
class FillPainter:
    """No model: the membrane, for teams without a GPU. Nothing of what was in a hole is in its fill."""

    sha256: str = FILL_SHA256
    side: int = SIDE
    batch: int = 1
    method: str = "membrane"
    guided: bool = False

    def paint_all(self, jobs: Sequence[Job]) -> list[np.ndarray]:
        """See Painter. Words, guidance and seeds are not looked at."""
        return [membrane_fill(job.crop, job.unknown) for job in jobs]


def membrane_fill(crop: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """The last resort, and what is used without a model: the smoothest continuation, uint8 (H, W, 3)."""
    from torch import from_numpy

    from accord.privacy.fitting.membrane import membrane

    image = from_numpy(crop.astype(np.float32)).permute(2, 0, 1)[None]
    filled = membrane(image, from_numpy(~unknown)[None, None])[0]
    return np.clip(filled.permute(1, 2, 0).numpy() + 0.5, 0, 255).astype(np.uint8)
