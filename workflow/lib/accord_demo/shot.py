"""What to photograph, and what a photograph holds."""

from dataclasses import dataclass

import numpy as np

from accord_demo.people.outfit import Outfit
from accord_demo.people.person import Person
from accord_demo.people.pose import EXPRESSIONS, POSES
from accord_demo.scene.objects import SUPPORTED, SceneObject
from accord_demo.scene.stage import LENS
from accord_demo.scene.truth import Depicted

SETTINGS = ("indoor", "outdoor")
METERING = ("people", "scene")


@dataclass(frozen=True)
class Shot:
    """A picture to take; what is None is drawn from the seed. Raises ValueError with all that is wrong.

    Objects: a "plate" on a parked car needs an outdoor full framing without bystanders; a "card" and a
    "screen" need an indoor setting; a "logo" goes anywhere. Subjects then stand off the middle.
    """

    people: tuple[Person, ...]  # one or two subjects; the second stands to the first one's left
    seed: int
    setting: str  # of SETTINGS
    framing: str  # "face", "bust" or "full"
    width: int = 768  # px
    height: int = 768
    pose: str | None = None  # of the first subject; faces are shown standing
    expression: str | None = None
    yaw: float | None = None  # of the head towards the subject's left, relative to the camera, degrees
    pitch: float | None = None  # of the head, positive when bowed, degrees
    bystanders: int = 0  # people behind the subjects
    objects: tuple[str, ...] = ()
    exposure: float = 0.0  # EV
    distance: float = 1.0  # multiplies the camera's distance
    metering: str = "people"  # "scene" exposes for the background alone, whoever stands in front
    outfit: Outfit | None = None  # of the first subject
    shadows: bool = True  # without them light is even and skin coarse: a third of the time, for pictures of 200 px

    def __post_init__(self):
        wrong = [*_unknown(self), *_out_of_range(self), *unsupported(self.objects, self.setting, self.framing)]
        if "plate" in self.objects and self.bystanders:
            wrong.append("object 'plate' and bystanders: the car would hide them (hint: two shots)")
        if wrong:
            raise ValueError("shot: " + "; ".join(wrong))


@dataclass(frozen=True)
class Photograph:
    """Pixels and ground truth of a shot."""

    pixels: np.ndarray  # (h, w, 3) uint8, sRGB
    people: tuple[Depicted, ...]  # subjects first, then bystanders
    objects: tuple[SceneObject, ...]
    labels: np.ndarray  # (h, w) uint8: FHIBE's segment classes, 255 = none
    instances: np.ndarray  # (h, w) uint8: 0 = background, i + 1 = people[i]
    setting: str
    framing: str
    light: str  # indoor_warm, indoor_neutral, sunny or overcast
    light_direction: tuple[float, float, float]  # towards the key light: x right, y up, z to the camera
    pose: str | None  # of the first subject
    expression: str | None
    head_yaw: float | None  # of the first subject, as in Shot, degrees
    head_pitch: float | None


def _unknown(shot: Shot):
    choices = {"setting": SETTINGS, "framing": tuple(LENS), "metering": METERING}
    choices |= {"pose": (None, *POSES), "expression": (None, *EXPRESSIONS)}
    for name, allowed in choices.items():
        if getattr(shot, name) not in allowed:
            names = ", ".join(str(a) for a in allowed if a is not None)
            yield f"{name} {getattr(shot, name)!r} is not one of {names}"


def _out_of_range(shot: Shot):
    if len(shot.people) not in (1, 2):
        yield f"{len(shot.people)} people: one or two subjects are possible"
    if not (48 <= shot.width <= 4096 and 48 <= shot.height <= 4096):
        yield f"size {shot.width} x {shot.height} is not in 48..4096 px"
    if not 0 <= shot.bystanders <= 4:
        yield f"{shot.bystanders} bystanders: 0 to 4 are possible"
    if not 0.8 <= shot.distance <= 5:
        yield f"distance {shot.distance} is not in 0.8..5"


def unsupported(objects, setting: str, framing: str):
    """What is wrong with the objects asked for, one message each."""
    for kind in objects:
        if kind not in SUPPORTED:
            yield f"object {kind!r} is not one of {', '.join(SUPPORTED)}"
            continue
        settings, framings = SUPPORTED[kind]
        if setting not in settings or framing not in framings:
            yield (
                f"object {kind!r} cannot be shown in a {framing} framing {setting}s "
                f"(hint: setting {' or '.join(settings)}, framing {' or '.join(framings)})"
            )
