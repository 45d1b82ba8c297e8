"""One picture of the demo as it is planned: everything about it that is known before it is rendered."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import NamedTuple

from accord_demo.devices import Device
from accord_demo.places import Place


class Frame(NamedTuple):
    """How a picture is taken: arguments of `render.Shot`, and `blur`, the sigma of a Gaussian blur after it, px."""

    framing: str
    setting: str
    width: int
    height: int
    bystanders: int = 0
    objects: tuple[str, ...] = ()
    exposure: float = 0.0
    distance: float = 1.0
    blur: float = 0.0


class Copy(NamedTuple):
    """The file is made from another picture's file: `how` names a function of `planting.files`."""

    source: str
    how: str


@dataclass(frozen=True)
class Picture:
    """One delivered picture. What is said of it in the tables follows from it, but for what is planted.

    orientation: EXIF orientation of the stored file; has_exif: whether it has any.
    slip: the mistake of an annotator (`planting.slips`), "" for none. in_images and in_people: column -> what the
    tables say instead of the truth; absent: which of its files ("file", "annotations") are not delivered, and "regions"
    where nobody outlined them.
    """

    reference: str
    subject: str
    taken: datetime
    place: Place
    device: Device
    frame: Frame
    secondary: str = ""
    orientation: int = 1
    has_exif: bool = True
    copy: Copy | None = None
    slip: str = ""
    in_images: tuple[tuple[str, str], ...] = ()
    in_people: tuple[tuple[str, str], ...] = ()
    absent: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """Where the file lies in the delivery; named a JPEG, whatever it is, but for the decompression bomb."""
        return f"images/{self.reference}.{'png' if self.copy and self.copy.how == 'bomb' else 'jpg'}"

    @property
    def annotations(self) -> str:
        """Where the annotations lie in the delivery."""
        return f"annotations/{self.reference}.json"

    @property
    def subjects(self) -> tuple[str, ...]:
        """Everyone in the picture whom the delivery names, the primary subject first."""
        return (self.subject, self.secondary) if self.secondary else (self.subject,)


def seed_of(seed: int, *parts: str) -> int:
    """A 31-bit seed for what `parts` name, in the delivery of a seed."""
    digest = blake2b("\0".join([str(seed), *parts]).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1
