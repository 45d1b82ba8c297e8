"""Pictures of an FHIBE archive, copied into a shard's bundle."""

from pathlib import Path, PurePosixPath

import numpy as np

from accord.errors import Collector
from accord.imaging.bundle import BundleWriter
from accord.release.archives import archive_files
from accord.release.format import fhibe, literals
from accord.release.format.face_geometry import FaceGeometry
from accord.release.format.geometry import Size, to_crop, to_square


class Copier:
    """Copies pictures; `files` are rows of Derivatives, `homographies` rows of Faces. What can't be read is told to
    `problems`."""

    def __init__(self, root: Path, writer: BundleWriter, problems: Collector):
        self.files: list[tuple] = []
        self.homographies: list[tuple] = []
        self._root, self._writer, self._problems = root, writer, problems
        self._sources: dict[str, str] = {}

    def whole(self, image: str, path: str) -> Size:
        """Copy a whole picture, and the full one where the archive has it; returns the downsampled size."""
        full = PurePosixPath(fhibe.FULL, *PurePosixPath(path).parts[-3:]).as_posix()
        if (self._root / full).is_file():
            self._copy(image, "", "original", "", full)
            return self._copy(image, "", "downsampled", "", path)
        size = self._copy(image, "", "downsampled", "", path)
        row = self.files[-1] if self.files and self.files[-1][0] == image else None
        self.files += [(image, "", "original", *row[3:])] if row else []
        return size

    def face(self, image: str, path: str, face: FaceGeometry, aligned: dict[str, str] | None) -> None:
        """Copy the pictures of a face: its crop, which lies beside the picture at `path`; the aligned one and masks."""
        crop = PurePosixPath(path).with_name(f"faces_crop_only_{image}_{face.subject}.png").as_posix()
        if face.window and (self._root / crop).is_file():
            size = self._copy(image, face.subject, "face_crop", "", crop)
            self._remember(image, face.subject, "face_crop", to_crop(face.window, size))
        if aligned is None:
            return
        size = self._copy(image, face.subject, "face_aligned", "", aligned["filepath"])
        if face.rectangle is not None:
            self._remember(image, face.subject, "face_aligned", to_square(face.rectangle, size.width))
        for mask in self._masks(aligned):
            self._copy(image, face.subject, "mask", PurePosixPath(mask).stem, mask)

    def _masks(self, aligned: dict[str, str]) -> list[str]:
        try:
            return literals.labels(aligned.get("CelebA", ""))
        except ValueError as error:
            self._problems.add(f"{fhibe.FACE_TABLE}, face {aligned['image_id']}, column CelebA", str(error))
            return []

    def _copy(self, image: str, subject: str, kind: str, part: str, path: str) -> Size:
        try:
            data = archive_files.read(self._root, path)
            size = archive_files.size(data)
        except ValueError as error:
            self._problems.add(
                f"image {image}, {kind} {part}".rstrip(), str(error), "is the archive complete and unchanged?"
            )
            return Size(1, 1)
        name = "/".join(filter(None, (image, subject, kind, part)))
        member = self._writer.add(f"{name}.png", data)
        source = self._sources.setdefault(image, member.sha256)
        self.files.append((image, subject, kind, part, *member, source, *size))
        return size

    def _remember(self, image: str, subject: str, kind: str, homography: np.ndarray) -> None:
        self.homographies.append((image, subject, kind, homography.ravel()))
