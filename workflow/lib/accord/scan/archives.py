"""Archives and compressed files: what is in them, each part bounded."""

import bz2
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator

from accord.scan.limits import CHUNK, Budget, Unopened, inflate
from accord.scan.parts import Part
from accord.scan.reading import opened
from accord.scan.videos import is_video

TAR_MAGIC = slice(257, 262)
ZSTD, LZ4 = b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"
FOREIGN = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x1aE\xdf\xa3", b"# v2 git bundle", b"# v3 git bundle")
"""7-Zip, RAR, Matroska, bundles of git."""
ENCRYPTED = 0x1
ZIP_END = 66_000
"""Bytes at the end of a zip that hold the record of its end: 22, and a comment of up to 65,535."""


def is_tar(data: memoryview) -> bool:
    return bytes(data[TAR_MAGIC]) == b"ustar"


def tar(data: memoryview, budget: Budget) -> Iterator[Part]:
    """The members of an uncompressed tar, where they lie."""
    with tarfile.open(fileobj=opened(data), mode="r:") as archive:
        for member in archive:
            if member.isreg() and member.size and not member.issparse():
                budget.spend(0)
                end = member.offset_data + member.size
                yield Part(member.name, data[member.offset_data : end], span=(member.offset_data, end))


def is_zip(data: memoryview) -> bool:
    """Whether it starts as a zip, or ends as one (behind a picture, say); a tar's last member can be one."""
    starts = bytes(data[:4]) in (b"PK\x03\x04", b"PK\x05\x06")
    return starts or (b"PK\x05\x06" in bytes(data[-ZIP_END:]) and not is_tar(data))


def zipped(data: memoryview, budget: Budget) -> Iterator[Part]:
    """The members of a zip, its comments, and the names that it lists."""
    with zipfile.ZipFile(opened(data)) as archive:
        locked, names = 0, [info.filename.encode(errors="replace") for info in archive.infolist()]
        yield Part("names", memoryview(b"\n".join([*names, archive.comment])))
        for info in archive.infolist():
            if info.flag_bits & ENCRYPTED:
                locked += 1
            elif not info.is_dir():
                with archive.open(info) as member:
                    content = budget.gather(iter(lambda member=member: member.read(CHUNK), b""))
                yield Part(info.filename, memoryview(content))
        if locked:
            raise Unopened(f"{locked} encrypted member(s)")


def is_compressed(data: memoryview) -> bool:
    return _method(data) not in (None, "zlib")


def is_zlib(data: memoryview) -> bool:
    return _method(data) == "zlib"


def compressed(data: memoryview, budget: Budget) -> Iterator[Part]:
    """What gzip, zlib, bzip2, xz, zstd or lz4 packed; several streams in one file are joined."""
    name = _method(data)
    if name in ("zstd", "lz4"):
        yield Part(name, memoryview(budget.gather(_by_arrow(data, name))))
        return
    if name is None:
        return
    make = {
        "gzip": lambda: zlib.decompressobj(wbits=31),
        "zlib": zlib.decompressobj,
        "bzip2": bz2.BZ2Decompressor,
        "xz": lzma.LZMADecompressor,
    }[name]
    yield Part(name, memoryview(budget.gather(inflate(make, data))))


def is_foreign(data: memoryview) -> bool:
    """Whether it is a video, a picture or an archive of a kind that the scan can't open."""
    return (
        (bytes(data[4:8]) == b"ftyp" and not is_video(data))
        or bytes(data[8:12]) == b"AVI "
        or bytes(data[:16]).startswith(FOREIGN)
    )


def foreign(_: memoryview, __: Budget) -> Iterator[Part]:
    raise Unopened("a format that can't be opened; searched as raw bytes")


def _by_arrow(data: memoryview, codec: str) -> Iterator[bytes]:
    import pyarrow

    with pyarrow.input_stream(pyarrow.py_buffer(data), compression=codec) as stream:
        yield from iter(lambda: stream.read(CHUNK), b"")


def _method(data: memoryview) -> str | None:
    start = bytes(data[:6])
    if start[:3] == b"\x1f\x8b\x08":
        return "gzip"
    if start[:3] == b"BZh":
        return "bzip2"
    if start == b"\xfd7zXZ\x00":
        return "xz"
    if start[:4] in (ZSTD, LZ4):
        return "zstd" if start[:4] == ZSTD else "lz4"
    return "zlib" if start[:1] == b"\x78" and len(start) > 1 and not (0x7800 + start[1]) % 31 else None
