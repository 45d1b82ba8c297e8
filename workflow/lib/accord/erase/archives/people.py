"""People of an archive of videos who are to be erased, by the archive's own annotations."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError
from accord.files import replace
from accord.queues import SCALES, SKIN
from accord.release.archives import ccv1, formats, reading
from accord.release.archives.reading import Bounded
from accord.shards import opaque_id


class People(NamedTuple):
    """The archive's folder, the ids of people, and the names of their videos, which are their images."""

    root: Path
    subjects: frozenset[str]
    images: frozenset[str]

    @property
    def kind(self) -> str:
        """What images are called."""
        return "videos"

    @property
    def names(self) -> frozenset[str]:
        """What a text about them would have in it: their videos, without folder and ending too."""
        return self.images | {Path(image).stem for image in self.images}

    @property
    def ids(self) -> frozenset[str]:
        """All by which results name them: people, videos, folders of crops, and what raters are asked about them."""
        items = {opaque_id("item", SKIN, subject, scale) for subject in self.subjects for scale in SCALES}
        return self.subjects | self.images | {opaque_id(image) for image in self.images} | items


def find(archive: Path, subjects: Collection[str]) -> People:
    """The people of these ids. Raises AccordError where the archive can't be read, has no such person, or a video of
    theirs lies elsewhere."""
    root, problems, found = formats.root("ccv1", archive), Bounded(), {}
    for file in _files(root, problems):
        found |= {one.subject: one.videos for one in ccv1.people(file, problems)}
    for number, subject in enumerate(subjects, 1):
        if subject not in found:
            hint = "give ids as CasualConversations.json has them; who is not in it was erased, or never there"
            problems.add(f"subject {number}", "is not in the archive", hint)
    images = {video for subject in subjects for video in found.get(subject, ())}
    linked = sum(not _is_plain(root, video) for video in images)
    if linked:
        hint = "delete the links and what they point to yourself"
        problems.add(str(archive), f"{linked} of these people's videos are links, or outside the archive", hint)
    if problems:
        raise AccordError(problems)
    return People(root, frozenset(subjects), frozenset(images))


def delete_videos(people: People) -> int:
    """Delete their videos, and folders that are empty then; returns how many there were."""
    return delete_files(people.root, people.images)


def delete_files(root: Path, names: Collection[str]) -> int:
    """Delete files of an archive, and folders that are empty then; returns how many there were."""
    there = [path for name in sorted(names) if (path := root / name).is_file()]
    for path in there:
        path.unlink()
        for folder in path.parents:
            if folder == root or any(folder.iterdir()):
                break
            folder.rmdir()
    return len(there)


def delete_entries(people: People) -> None:
    """Write the annotations without these people; who else is in them stays."""
    for file in _files(people.root, Bounded()):
        told = json.loads(file.read_text())
        kept = {subject: about for subject, about in told.items() if subject not in people.subjects}
        if len(kept) < len(told):
            replace(file, json.dumps(kept, indent=1, ensure_ascii=False).encode())


def _files(root: Path, problems: Bounded) -> list[Path]:
    return [file for pattern in ccv1.FILES for file in reading.several(root, (pattern,), problems, needed=False)]


def _is_plain(root: Path, video: str) -> bool:
    """Whether a video's file lies where its name says; one that is gone does."""
    path = root / video
    return path.is_relative_to(root) and path.resolve() == path
