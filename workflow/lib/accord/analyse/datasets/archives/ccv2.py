"""Casual Conversations v2: the videos of `CasualConversationsV2.json`, and what is said of who speaks in them."""

from pathlib import Path
from typing import Any

from accord.analyse.datasets.gathered import STATED, Dataset, Gathered, years
from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded

FILES = ("CasualConversationsV2.json", "*/CasualConversationsV2.json")
GENDERS = {"cis man": shared.MALE, "transgender man": shared.MALE, "cis woman": shared.FEMALE}
GENDERS |= {"transgender woman": shared.FEMALE, "non-binary": shared.OTHER}
TYPES = {f"type {number.lower()}": place for place, number in enumerate(shared.ROMAN, start=1)}
SCALES = {f"scale {tone}": tone for tone in range(1, shared.TONES + 1)}


def read(folder: Path, problems: Bounded) -> Dataset:
    """An image is a video, named by its video_name; people are named by their subject_id."""
    made = Gathered(problems)
    for file in reading.several(folder, FILES, problems)[:1]:
        videos = {"videos": reading.document(file, problems)}
        for where, video in reading.objects(videos, "videos", str(file), problems):
            _video(where, video, made)
    return made.dataset()


def _video(where: str, video: dict[str, Any], made: Gathered) -> None:
    image, subject = video.get("video_name"), video.get("subject_id")
    tone, skin = _label(video.get("monk_skin_tone"), "scale"), _label(video.get("fitzpatrick_skin_tone"), "type")
    if not isinstance(image, str) or not isinstance(subject, str):
        made.problems.add(where, "has no video_name or subject_id")
    elif (tone and tone not in SCALES) or (skin and skin not in TYPES):
        made.problems.add(where, "monk_skin_tone is not 1 to 10, or fitzpatrick_skin_tone not i to vi")
    elif made.person(where, image, subject, age=years(reading.number(str(video.get("age"))))):
        who = (where, image, subject)
        gender = video.get("gender")
        if isinstance(gender, str) and gender:
            made.say(*who, "stated_gender", gender, STATED)
        made.say(*who, shared.GENDER, GENDERS.get(gender if isinstance(gender, str) else "", shared.UNKNOWN), STATED)
        if tone:
            made.say(*who, "monk_tone", str(SCALES[tone]))
        if skin:
            made.say(*who, "fitzpatrick", shared.ROMAN[TYPES[skin] - 1])
            for name, value in shared.fitzpatrick(TYPES[skin]).items():
                made.say(*who, name, value)


def _label(given: Any, key: str) -> str:
    value = given.get(key) if isinstance(given, dict) else None
    return value.strip().lower() if isinstance(value, str) else ""
