"""Pictures in files and arrays: image files with what they carry along, and NumPy's arrays."""

import io
from collections.abc import Iterator

import numpy as np

from accord.scan.limits import Budget, Unopened
from accord.scan.parts import Inside, Part, Picture, Rows

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
MIN_SIDE, MAX_PICTURES = 16, 10_000
HEADER = 1 << 16


def is_image(data: memoryview) -> bool:
    start = bytes(data[:12])
    marks = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")
    bitmap = start[:2] == b"BM" and start[6:10] == bytes(4)
    return start.startswith(marks) or bitmap or (start[:4] == b"RIFF" and start[8:] == b"WEBP")


def image(data: memoryview, budget: Budget) -> Iterator[Inside]:
    """The upright pixels of each frame, and the texts that the file holds compressed (PNG's zTXt, iTXt, iCCP)."""
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
        for frame in range(min(getattr(opened, "n_frames", 1), MAX_PICTURES)):
            opened.seek(frame)
            if opened.width * opened.height > budget.limits.pixels:
                raise Unopened("a picture has more pixels than the limit")
            budget.spend(opened.width * opened.height * 3)
            yield Picture(f"frame {frame}" if frame else "", np.asarray(ImageOps.exif_transpose(opened).convert("RGB")))
        texts = [value for value in opened.info.values() if isinstance(value, bytes | str)]
        packed = b"\n".join(t if isinstance(t, bytes) else t.encode(errors="replace") for t in texts)
        yield Part("metadata", memoryview(packed))


def is_npy(data: memoryview) -> bool:
    return bytes(data[:6]) == b"\x93NUMPY"


def npy(data: memoryview, budget: Budget) -> Iterator[Inside]:
    """An array as rows of its last axis, and as pictures where it can be some. Objects are never unpickled."""
    array = _array(data)
    budget.spend(array.nbytes)
    if array.dtype.kind in "fiu" and array.ndim:
        yield Rows("array", array.reshape(-1, array.shape[-1]) if array.ndim > 1 else array[None])
    if array.dtype == np.uint8:
        for number, pixels in enumerate(_pictures(array)[:MAX_PICTURES]):
            yield Picture(f"array[{number}]", np.ascontiguousarray(pixels))


def _array(data: memoryview) -> np.ndarray:
    """The array in a .npy file, without a copy. Raises Unopened where it is of objects, ValueError where it is cut."""
    header = io.BytesIO(data[:HEADER])
    version = np.lib.format.read_magic(header)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(header)
    if dtype.hasobject:
        raise Unopened("an array of pickled objects")
    values = np.frombuffer(data, dtype, count=int(np.prod(shape, dtype=object)), offset=header.tell())
    return values.reshape(shape, order="F" if fortran else "C")


def _pictures(array: np.ndarray) -> np.ndarray:
    """(n, height, width, 3): the pictures that an array of bytes can be; none where it can't."""
    if array.ndim == 2:
        array = np.repeat(array[..., None], 3, 2)
    if array.ndim == 3:
        array = array[None]
    if array.ndim == 4 and array.shape[1] in (3, 4) and array.shape[3] > 4:
        array = array.transpose(0, 2, 3, 1)
    if array.ndim != 4 or array.shape[3] not in (3, 4) or min(array.shape[1:3]) < MIN_SIDE:
        return np.zeros((0, MIN_SIDE, MIN_SIDE, 3), np.uint8)
    return array[..., :3]
