"""Photographs of fictitious people, with ground truth: the demo's camera.

Units: 1 unit of the world is 1 decimetre; y is up, the camera looks along -z. The same shot gives the
same bytes, whatever was rendered before. The people are not real: results on them show that a
pipeline works, and are no evidence about anyone.
"""

import numpy as np

from accord_demo.people.casting import draw_person
from accord_demo.people.human import Human, make_human
from accord_demo.people.outfit import Outfit, draw_outfit
from accord_demo.people.person import Person
from accord_demo.people.pose import EXPRESSIONS, NARROW_POSES, POSES, Stance
from accord_demo.people.template import template
from accord_demo.scene.compose import BLUR, SAMPLES, compose, draw_background, light_people
from accord_demo.scene.gbuffer import Screen
from accord_demo.scene.objects import NoRoomError, SceneObject, place_object
from accord_demo.scene.rooms import make_room
from accord_demo.scene.scenery import Scenery
from accord_demo.scene.signs import BRANDS
from accord_demo.scene.stage import View, place_bystander, set_camera, stand_side_by_side
from accord_demo.scene.streets import make_street
from accord_demo.scene.truth import Depicted, depict
from accord_demo.shot import Photograph, Shot, unsupported

__all__ = [
    "BRANDS", "Depicted", "Person", "Photograph", "SceneObject", "Shot", "empty_scene", "photograph",
    "sample_person",
]  # fmt: skip

FRAME_HEIGHT = {"face": 4.75, "bust": 8.3, "full": 24.0}  # decimetres, about
SMALL = 384  # px: up to here coarser shadows are enough
STEPS_BACK = (1.0, 1.3, 1.7)  # of the camera's distance
EXPRESSION_ODDS = (0.35, 0.3, 0.1, 0.1, 0.1, 0.05)


def sample_person(
    seed: int,
    *,
    presentation: str | None = None,
    age: int | None = None,
    tone: float | None = None,
    hair: str | None = None,
) -> Person:
    """The person of a seed; what is given overrides what would be drawn.

    `presentation`: feminine or masculine; `age`: 18..95 years; `tone`: Monk scale 1..10. ValueError otherwise.
    """
    return draw_person(seed, presentation, age, tone, hair)


def photograph(shot: Shot) -> Photograph:
    """Take a picture. Objects that find no room beside the people make the camera step back; ValueError
    when that doesn't help either."""
    for farther in STEPS_BACK[:-1]:
        try:
            return _take(shot, farther)
        except NoRoomError:
            continue
    return _take(shot, STEPS_BACK[-1])


def _take(shot: Shot, farther: float) -> Photograph:
    rng = np.random.default_rng([shot.seed, 77])
    azimuth = float(rng.normal(0, 6))
    scenery = _scenery(shot.seed, shot.setting, clear=bool(shot.bystanders or shot.objects))
    stances = _stances(shot, azimuth, rng)
    outfits = [
        shot.outfit or draw_outfit(shot.seed, shot.people[0]),
        *(draw_outfit(shot.seed, p) for p in shot.people[1:]),
    ]
    subjects = [_human(shot, *who) for who in zip(shot.people, outfits, stances, strict=True)]
    stand_side_by_side(subjects, shot.framing)
    screen = Screen(_camera(shot, farther, subjects, azimuth, rng), SAMPLES)
    _enter(screen, subjects, 1)
    cast = [(human, person, "subject") for human, person in zip(subjects, shot.people, strict=True)]
    cast += _bystanders(shot, screen, scenery)
    objects = _objects(shot.objects, screen, scenery, shot.seed)
    raster = _develop(shot, [human for human, _, _ in cast], screen, scenery)
    people = tuple(depict(*who, i + 1, screen.camera, raster) for i, who in enumerate(cast))
    first = stances[0]
    return Photograph(
        raster.pixels, people, objects, raster.labels, raster.instances, shot.setting, shot.framing,
        scenery.light, _seen_from(screen, scenery), first.pose, first.expression,
        first.yaw + first.head_yaw - azimuth, first.head_pitch,
    )  # fmt: skip


def empty_scene(seed: int, setting: str, width: int, height: int, objects: tuple[str, ...] = ()) -> Photograph:
    """A picture of a place without people, framed as for a full figure; see Shot for the objects."""
    wrong = list(unsupported(objects, setting, "full"))
    if wrong:
        raise ValueError("scene: " + "; ".join(wrong))
    scenery = _scenery(seed, setting, clear=bool(objects))
    view = View("full", width, height, 1.0, 0, roomy=False)
    rng = np.random.default_rng([seed, 78])
    screen = Screen(set_camera(view, np.array([[0, 15.5, 0]]), 17.0, float(rng.normal(0, 6)), rng), SAMPLES)
    placed = _objects(objects, screen, scenery, seed)
    shadows = light_people([], scenery, close=False, small=max(width, height) <= SMALL)
    background, behind = draw_background(scenery, screen.camera, shadows, BLUR["full"])
    raster = compose(screen, scenery, shadows, background, behind, 0.0, "scene", seed)
    return Photograph(
        raster.pixels, (), placed, raster.labels, raster.instances, setting, "full", scenery.light,
        _seen_from(screen, scenery), None, None, None, None,
    )  # fmt: skip


def _scenery(seed: int, setting: str, clear: bool) -> Scenery:
    make = make_room if setting == "indoor" else make_street
    return make(seed, template().noise, clear)


def _stances(shot: Shot, azimuth: float, rng) -> list[Stance]:
    """How the subjects stand; a wanted yaw is shared by body and head."""
    tight = len(shot.people) == 2 or bool(shot.objects) or bool(shot.bystanders)
    stances = []
    for i in range(len(shot.people)):
        pose = str(rng.choice(NARROW_POSES if tight else list(POSES)))
        expression = str(rng.choice(list(EXPRESSIONS), p=EXPRESSION_ODDS))
        body, head, pitch, roll = (rng.normal(0, s) for s in (14, 9, 5, 3))
        if i == 0:
            pose, expression = shot.pose or pose, shot.expression or expression
            pitch = pitch if shot.pitch is None else shot.pitch
            if shot.yaw is not None:
                body, head = azimuth + 0.6 * shot.yaw, 0.4 * shot.yaw
        pose = "stand" if shot.framing == "face" else pose
        stances.append(Stance(pose, expression, float(body), float(pitch), float(head), float(roll)))
    return stances


def _human(shot: Shot, person: Person, outfit: Outfit, stance: Stance) -> Human:
    return make_human(person, outfit, stance, shot.seed, _density(shot), whole=shot.framing != "face")


def _density(shot: Shot) -> int:
    """Texels of head paint that match the picture's resolution."""
    if not shot.shadows:
        return 160
    per_decimetre = SAMPLES * shot.height / FRAME_HEIGHT[shot.framing]
    return 1500 if per_decimetre > 200 else 750 if per_decimetre > 60 else 500


def _camera(shot: Shot, farther: float, subjects: list[Human], azimuth: float, rng):
    view = View(
        shot.framing, shot.width, shot.height, shot.distance * farther, len(subjects),
        roomy=bool(shot.objects or shot.bystanders),
    )  # fmt: skip
    heads = np.array([human.head_centre for human in subjects])
    return set_camera(view, heads, max(float(human.skin[:, 1].max()) for human in subjects), azimuth, rng)


def _enter(screen: Screen, humans: list[Human], first: int) -> None:
    """Draw humans, numbered from `first` on, into the screen."""
    for i, human in enumerate(humans):
        for part in human.parts:
            part.instance = first + i
        screen.add(human.parts)


def _bystanders(shot: Shot, screen: Screen, scenery: Scenery) -> list[tuple[Human, Person, str]]:
    """People of the background, each where those before leave it in view."""
    cast = []
    for i in range(shot.bystanders):
        rng = np.random.default_rng([shot.seed, 79, i])
        person = draw_person(int(rng.integers(2**31, 2**32)))
        stance = Stance(str(rng.choice(NARROW_POSES)), yaw=float(rng.uniform(-80, 80)))
        human = make_human(person, draw_outfit(shot.seed, person), stance, shot.seed, 500, detail=0.5)
        place_bystander(human, screen.camera, screen.covered(), scenery.back, rng)
        _enter(screen, [human], len(shot.people) + 1 + i)
        cast.append((human, person, "bystander"))
    return cast


def _objects(kinds, screen: Screen, scenery: Scenery, seed: int) -> tuple[SceneObject, ...]:
    """Objects on parts of the picture that nothing else needs."""
    placed = []
    for i, kind in enumerate(kinds):
        rng = np.random.default_rng([seed, 80, i])
        parts, known = place_object(kind, screen.camera, scenery, screen.covered(), rng)
        screen.add(parts)
        placed.append(known)
    return tuple(placed)


def _develop(shot: Shot, humans: list[Human], screen: Screen, scenery: Scenery):
    small = max(shot.width, shot.height) <= SMALL
    shadows = light_people(humans, scenery, shot.framing != "full", small) if shot.shadows else []
    blur = BLUR[shot.framing]
    background, behind = draw_background(scenery, screen.camera, shadows, blur)
    return compose(screen, scenery, shadows, background, behind, shot.exposure, shot.metering, shot.seed)


def _seen_from(screen: Screen, scenery: Scenery) -> tuple[float, float, float]:
    """The key light's direction in the camera's frame: right, up, towards the camera."""
    right, down, ahead = screen.camera.axes @ scenery.key_direction
    return float(right), float(-down), float(-ahead)
