"""Files that can be what somebody signed: a text that says something, a whole PDF, a picture that shows something."""

import csv
import io
import re

from accord.errors import AccordError
from accord.imaging.formats.foreign import name_format
from accord.intake.delivered.sheets import SHEETS

LEAST_TEXT, LEAST_LETTERS, LEAST_BYTES = 12, 5, 100
"""Letters of a text, and how many different ones: a name and a day have as many; bytes of any other file (the smallest
PDF that readers open has 67 bytes, and no page in it)."""
WHOLE = {
    b"%PDF-": (b"obj", b"%%EOF"),
    b"\xff\xd8\xff": (b"\xff\xda", b"\xff\xd9"),
    b"\x89PNG\r\n\x1a\n": (b"IDAT", b"IEND"),
}
"""How PDF, JPEG and PNG begin, and what a whole one has."""
STARTS = (*WHOLE, b"II*\0", b"MM\0*", b"GIF8")
"""The same with TIFF and GIF."""
BOXED = ((8, b"WEBP"), (4, b"ftyphe"), (4, b"ftypmif1"), (4, b"ftypavif"))
"""Where other pictures say what they are: WebP, HEIC, AVIF."""
PLAIN_CONTROLS = frozenset(b"\t\n\f\r\x1b")
SHORT = "the signed form is too short to say what was signed, and by whom"
BROKEN = "the signed form is a damaged PDF or picture"
TABLE = "the signed form is a table, not what somebody signed"
DATA = "the signed form is a web page or data, not what somebody signed"
BLANK = "the signed form is a picture of one colour"
LETTERS_FOR, MOST_LETTERS = 20, 10
"""A longer text has another letter for each so many, up to so many."""
TABLE_ROWS, TABLE_CELLS = 3, 4
"""Lines of a table, and cells of each: lines of a letter rarely have as many commas each."""
MARKUP = re.compile(r"<[!?a-z]|[{[]\s*[\"{\[\]}]", re.IGNORECASE)
"""How HTML, XML and JSON begin."""
FLAT, SIDE, SPARSE, MAX_PIXELS = 2, 1024, 0.1, 200_000_000
"""Levels by which pixels of one colour differ, at a longest side of about so many px; and bytes of each pixel below
which a picture is decoded at all: one colour takes hardly any."""


def fault(data: bytes) -> str:
    """Why a file can't be what somebody signed; "" where it could be."""
    if (said := text(data)) is not None:
        return _text_fault(said.strip())
    if len(data) < LEAST_BYTES:
        return SHORT
    needed = next((parts for start, parts in WHOLE.items() if data.startswith(start)), ())
    if not all(part in data for part in needed):
        return BROKEN
    return BLANK if _is_flat(data) else ""


def is_known(data: bytes) -> bool:
    """Whether a file is of a kind that its bytes show: a PDF, a picture or text. Others are for a person to look at."""
    boxed = any(data.startswith(name, at) for at, name in BOXED)
    return data.startswith(STARTS) or boxed or text(data) is not None


def text(data: bytes) -> str | None:
    """What a text file says; None of what is no text."""
    for start, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"", "utf-8-sig"), (b"", "cp1252")):
        if data.startswith(start) and not data.startswith(STARTS):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError:
                continue
            controls = any(ord(sign) < 32 and ord(sign) not in PLAIN_CONTROLS for sign in text)
            return None if controls else text
    return None


def _text_fault(said: str) -> str:
    kind = name_format(said.encode())
    if "Git LFS" in kind:
        return f"the signed form is {kind}"
    if MARKUP.match(said) and kind != "SVG":
        return DATA
    if _is_table(said):
        return TABLE
    words = " ".join(dict.fromkeys(said.casefold().split()))
    letters = words.replace(" ", "")
    needed = max(LEAST_LETTERS, min(len(letters) // LETTERS_FOR, MOST_LETTERS))
    is_repeated = len(letters) > LEAST_TEXT and any(
        letters == (letters[:size] * len(letters))[: len(letters)] for size in range(1, LEAST_TEXT)
    )
    return SHORT if len(words) < LEAST_TEXT or len(set(letters)) < needed or is_repeated else ""


def _is_table(said: str) -> bool:
    """Whether a text is CSV: with the columns of a delivery's table, or the same number of cells in all its lines."""
    lines = [line for line in said.splitlines() if line.strip()]
    for sign in ",;\t":
        cells = {cell.strip().strip('"').casefold() for cell in lines[0].split(sign)} if lines else set()
        if any(len(sheet.required) > 1 and cells.issuperset(sheet.required) for sheet in SHEETS.values()):
            return True
        if min(TABLE_ROWS, len(lines)) < TABLE_ROWS or lines[0].count(sign) < TABLE_CELLS - 1:
            continue
        try:
            counts = {len(row) for row in csv.reader(lines, delimiter=sign, strict=True)}
        except csv.Error:
            continue
        if len(counts) == 1:
            return True
    return False


def _is_flat(data: bytes) -> bool:
    """Whether a JPEG or PNG has one colour; others, and those that can't be decoded, are for a person to look at."""
    from PIL import Image

    from accord.imaging import decode  # most deliveries are read without a look at a picture

    try:
        with Image.open(io.BytesIO(data), formats=decode.FORMATS) as image:
            if len(data) > SPARSE * image.width * image.height + LEAST_BYTES:
                return False
        pixels = decode.reduced(data, SIDE, MAX_PIXELS)
    except (AccordError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False
    flat = pixels.reshape(pixels.shape[0] * pixels.shape[1], -1)
    return bool((flat.max(axis=0).astype(int) - flat.min(axis=0) <= FLAT).all())
