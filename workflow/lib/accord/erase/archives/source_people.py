"""People, pictures and whole sources of an archive of made and real faces that are to be erased."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from accord.erase.archives import own_files, people
from accord.errors import AccordError
from accord.files import replace
from accord.imaging.decode import decode
from accord.queues import LOOKED_AT, LOOKS
from accord.release.archives import formats, reading
from accord.release.archives.reading import Bounded
from accord.release.sources import described, listing, people_in_paths, published_table, withdrawn
from accord.release.sources.described import Source
from accord.scan.dossier import Print
from accord.scan.pictures import print_of
from accord.shards import opaque_id

MOST_PRINTS = 1000
"""Pictures, evenly chosen, by whose looks copies of a whole source are searched for."""

LEAST = 128
"""Px of a side: crops of faces that are smaller look like those of others, of the demo's 64 px most of all."""


class People(NamedTuple):
    """The archive's folder; people as `<people_of>/<name>`; files that show them or lie in the sources erased; frames:
    of videos, as results name them."""

    root: Path
    subjects: frozenset[str]
    images: frozenset[str]
    frames: frozenset[str]

    @property
    def kind(self) -> str:
        """What images are called."""
        return "pictures and videos"

    @property
    def ids(self) -> frozenset[str]:
        """All by which results name them: people, pictures, frames, members of bundles, and items of reviews."""
        shown = self.images | self.frames
        items = {opaque_id("item", LOOKS, image, attribute) for image in shown for attribute in LOOKED_AT}
        return self.subjects | shown | {opaque_id(image) for image in shown} | items

    @property
    def names(self) -> frozenset[str]:
        """What a text about them would have in it. The last part of a path, such as 3.png, is no name."""
        return self.images | self.frames


def find(archive: Path, words: Collection[str]) -> People:
    """What is erased: of each word the person `<people_of>/<name>`, or the picture, or all of the folder of a source.

    Raises AccordError where the archive can't be read, has none of that, or a file is a link.
    """
    root, problems = formats.root(formats.COLLECTED, archive), Bounded()
    told = described.read(root / described.FILE)
    named = {one.image for one in published_table.read(root, told.ages, problems)}
    lying = {file for one in told.sources for file in listing.files(root, root / one.folder, problems)}
    shown = {file: source for file in named | lying if (source := described.of_path(told.sources, file))}
    of = {file: {file, source.folder, *listing.people_of(source, file)} for file, source in shown.items()}
    known = set().union(*of.values())
    words = [word if word in known else people_in_paths.spelt(word) for word in words]
    for number, word in enumerate(words, 1):
        if word not in known:
            hint = "give <people_of>/<name>, a picture's path, or a source's folder, as sources.yaml has them"
            problems.add(f"subject {number}", "is not in the archive", hint)
    if problems:
        raise AccordError(problems)
    wanted = set(words)
    files = frozenset(file for file, names in of.items() if names & wanted)
    frames = frozenset(name for file in files for name in _frames(file, shown[file]))
    subjects = {name for file in files for name in listing.people_of(shown[file], file)} & (wanted | files)
    return People(root, frozenset(subjects), files, frames)


def prints(who: People) -> Iterator[Print]:
    """By what copies of their pictures are searched for: looks of large ones, pixels alone of small ones."""
    there = sorted(file for file in who.images if (who.root / file).is_file())
    for file in there[:: max(1, len(there) // MOST_PRINTS)]:
        if PurePosixPath(file).suffix.lower() in listing.PICTURES:
            # What can't be decoded shows nobody, and falls all the same.
            with suppress(AccordError):
                pixels = decode((who.root / file).read_bytes())
                made = print_of(pixels)
                if made.quality or len(made.points):
                    yield made if min(pixels.shape[:2]) >= LEAST else _of_pixels(made)


def _of_pixels(made: Print) -> Print:
    return made._replace(quality=0, points=made.points[:0], descriptors=made.descriptors[:0])


def passed_over(who: People, also: Collection[Path]) -> frozenset[Path]:
    """Files of the archive in which nothing is looked for: theirs, tables with rows of theirs, which go last, and
    videos outside of the folders `also`."""
    left_out = {(who.root / file).resolve() for file in who.images} | unopened(who, also)
    return frozenset(left_out.union(path.resolve() for path in _tables(who.root)))


def unopened(who: People, also: Collection[Path]) -> frozenset[Path]:
    """Videos of others, outside of the folders `also`: whole hours would be decoded."""
    sources = described.read(who.root / described.FILE).sources
    lying = {file for one in sources for file in listing.files(who.root, who.root / one.folder, Bounded())}
    others = {file for file in lying - who.images if PurePosixPath(file).suffix.lower() in listing.VIDEOS}
    asked = [folder.resolve() for folder in also]
    found = ((who.root / file).resolve() for file in others)
    return frozenset(path for path in found if not any(path.is_relative_to(folder) for folder in asked))


def delete_entries(who: People) -> None:
    """Delete the files, then the rows that name them or these people."""
    people.delete_files(who.root, who.images)
    pictures = {form for image in who.images for form in (image, f"./{image}")}
    for file in _tables(who.root):
        goes = [row.get(published_table.IMAGE) in pictures or _person(row) in who.subjects
                for row in own_files.rows(file)[1]]  # fmt: skip
        if any(goes):
            replace(file, own_files.without(file, goes))


def _tables(root: Path) -> list[Path]:
    names = (*published_table.FILES, withdrawn.FILE)
    return [file for name in names for file in reading.several(root, (name,), Bounded(), needed=False)]


def _person(row: dict[str, str]) -> str:
    """The person of a line of withdrawn.csv."""
    return "/".join(people_in_paths.spelt(row.get(name, "")) for name in withdrawn.COLUMNS[1:])


def _frames(file: str, source: Source) -> Iterator[str]:
    if PurePosixPath(file).suffix.lower() in listing.VIDEOS:
        yield from (f"{file}{listing.FRAME}{index:04}" for index in range(source.frames))
