"""Inspection: looks into bytes, and into whatever is inside them, for what a dossier knows."""

import re
from collections.abc import Callable, Iterator
from mmap import mmap
from time import monotonic
from typing import NamedTuple

from accord.scan import archives, arrays, columns, documents, videos
from accord.scan.dossier import PERCEPTUAL, Dossier
from accord.scan.findings import Finding, Gap, Place, meanings
from accord.scan.limits import Budget, Exhausted, Limits, Unopened
from accord.scan.parts import Inside, Part, Picture, Rows
from accord.scan.patterns import EMBEDDING, PICTURE, patterns
from accord.scan.pictures import Match, Pictures, digest
from accord.scan.search import BLOB, DIGEST, NUMBERS, Searched, Searcher
from accord.scan.vectors import Vectors

HASH = re.compile(rb"(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])")
REMEMBERED = 100_000


class Opener(NamedTuple):
    """A kind of container: how it is recognised, and how it is opened.

    name: "" where a few bytes make it seem one, so that a broken one is no gap; carved: whether pictures can lie in it
    that it doesn't tell of.
    """

    name: str
    fits: Callable[[memoryview], bool]
    open: Callable[[memoryview, Budget], Iterator[Inside]]
    carved: bool = False


OPENERS = (
    Opener("image", arrays.is_image, arrays.image, carved=True),
    Opener("tar", archives.is_tar, archives.tar),
    Opener("zip", archives.is_zip, archives.zipped),
    Opener("compressed file", archives.is_compressed, archives.compressed),
    Opener("", archives.is_zlib, archives.compressed, carved=True),
    Opener("video", videos.is_video, videos.frames, carved=True),
    Opener("foreign", archives.is_foreign, archives.foreign, carved=True),
    Opener("parquet", columns.is_parquet, columns.parquet),
    Opener("arrow", columns.is_arrow, columns.arrow),
    Opener("sqlite", columns.is_sqlite, columns.sqlite, carved=True),
    Opener("npy", arrays.is_npy, arrays.npy),
    Opener("pdf", documents.is_pdf, documents.pdf, carved=True),
)
BLOBS = Opener("", lambda _: True, documents.blobs)


class Inspector:
    """Looks for one person. `findings` and `gaps` grow with each look; `bytes` counts what was searched; `looking` is
    called before each thing: a file, an object of git, or what is inside one."""

    def __init__(self, dossier: Dossier, limits: Limits | None = None, looking: Callable[[], None] = lambda: None):
        self.limits, self._looking = limits or Limits(), looking
        self.searcher = Searcher(patterns(dossier))
        self.findings: list[Finding] = []
        self.gaps: list[Gap] = []
        self.bytes = 0
        self._until = monotonic() + self.limits.seconds if self.limits.seconds else 0.0
        self._pictures, self._vectors = Pictures(dossier.prints), Vectors(dossier.vectors)
        self._seen: dict[tuple, Match | None] = {}

    def name(self, name: bytes, place: Place) -> None:
        """Look at the name of a file or folder, or at where a link points."""
        for text, how in [(name, "name"), *((plain, "name, base64") for plain in meanings(name))]:
            kinds = {hit.pattern.kind for hit in self.searcher.search(text).hits}
            self.findings += [Finding(place, kind, how, 1.0) for kind in sorted(kinds)]

    def content(self, data: bytes | memoryview | mmap, place: Place) -> None:
        """Look at the content of a file, or of an object of a repository."""
        budget = Budget(self.limits, self._until)
        try:
            budget.spend(0)
            self._look(memoryview(data), place, budget, 0)
        except Unopened as why:
            self.gaps.append(Gap(place, str(why)))

    def _look(self, data: memoryview, place: Place, budget: Budget, depth: int) -> None:
        self._looking()
        found = self.searcher.search(data)
        self.bytes += len(data)
        if not found.whole and not found.hits:
            self.gaps.append(Gap(place, "too many places to search"))
        openers, spans = [opener for opener in OPENERS if opener.fits(data)], []
        try:
            for opener in openers:
                self._open(opener, data, place, budget, depth, spans)
            self._text(data, found, place, budget, depth)
            if not openers or openers[0].carved:
                self._carve(data, found, place, budget, depth)
        finally:
            outside = [hit for hit in found.hits if not any(a <= hit.start and hit.end <= b for a, b in spans)]
            self.findings += [Finding(place, hit.pattern.kind, hit.pattern.how, 1.0) for hit in outside]

    def _open(
        self, opener: Opener, data: memoryview, place: Place, budget: Budget, depth: int, spans: list[tuple[int, int]]
    ) -> None:
        """Look at all that an opener finds; adds the spans of the data that were looked at so."""
        if depth >= self.limits.depth:
            self.gaps.append(Gap(place, "containers are nested deeper than the limit"))
            return
        try:
            for part in opener.open(data, budget):
                self._inside(part, place, budget, depth + 1)
                spans += [part.span] if isinstance(part, Part) and part.span else []
        except Exhausted:
            raise
        except Unopened as why:
            self.gaps.append(Gap(place, str(why)))
        except Exception as error:
            # A damaged or hostile container raises whatever its reader likes; its raw bytes were searched already.
            if opener.name:
                reason = f"a damaged {opener.name} ({type(error).__name__}); searched as raw bytes"
                self.gaps.append(Gap(place, reason))

    def _inside(self, part: Inside, place: Place, budget: Budget, depth: int) -> None:
        where = place.within(part.name)
        if isinstance(part, Part):
            self._look(part.data, where, budget, depth)
        elif isinstance(part, Rows):
            self._note_vector(self._vectors.closest(part.values), where)
        elif isinstance(part, Picture):
            self._picture(part, where)

    def _picture(self, part: Picture, place: Place) -> None:
        key = part.pixels.shape, digest(part.pixels)
        if key not in self._seen:
            if len(self._seen) >= REMEMBERED:
                self._seen.clear()
            self._seen[key] = self._pictures.match(part.pixels, key[1])
        match = self._seen[key]
        if match:
            self.findings.append(Finding(place, PICTURE, match.how, match.score))

    def _note_vector(self, score: float | None, place: Place) -> None:
        if score is not None:
            self.findings.append(Finding(place, EMBEDDING, "cosine", score))

    def _text(self, data: memoryview, found: Searched, place: Place, budget: Budget, depth: int) -> None:
        """What only slower means find in text: base64 blobs, numbers, hashes that differ in few bits."""
        if BLOB in found.signs:
            self._open(BLOBS, data, place, budget, depth, [])
        if NUMBERS in found.signs:
            self._note_vector(self._vectors.in_text(data), place)
        if DIGEST in found.signs:
            apart = self._pictures.near([digits.decode() for digits in HASH.findall(data)])
            self.findings += [] if not apart else [Finding(place, PERCEPTUAL, "PDQ", float(apart))]

    def _carve(self, data: memoryview, found: Searched, place: Place, budget: Budget, depth: int) -> None:
        """Pictures that start anywhere in other data: thumbnails in EXIF, pickles, free pages of databases."""
        if depth >= self.limits.depth:
            return
        for start in sorted(start for starts in found.starts.values() for start in starts if start):
            try:
                for part in arrays.image(data[start:], budget):
                    if isinstance(part, Picture):
                        self._picture(part, place.within(f"picture at byte {start}"))
            except Exhausted:
                raise
            except Exception:
                continue  # these few bytes stand for much else
