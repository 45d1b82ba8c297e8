"""Formats that are neither JPEG nor PNG, by the first bytes of a file, so that an error can name them."""

import re

BOX = 32
"""Bytes of the first box of ISO media files (ISO/IEC 14496-12) that name its brands; later ones are not needed."""
BRANDS = {
    "AVIF": (b"avif", b"avis"),
    "HEIC, a phone's format": (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"),
    "CR3, a camera's raw format": (b"crx ",),
}  # fmt: skip
SIGNATURES = {
    "WebP": rb"RIFF.{4}WEBP",
    "GIF": rb"GIF8[79]a",
    "BMP": rb"BM.{4}\0\0\0\0",
    "a camera's raw format": rb"II\*\0.{4}CR|FUJIFILMCCD-RAW|IIRO|IIU\0|FOVb|\0MRM",
    "TIFF, or a camera's raw format": rb"II[*+]\0|MM\0[*+]",
    "JPEG 2000": rb"\0\0\0\x0cjP  \r\n|\xff\x4f\xff\x51",
    "JPEG XL": rb"\xff\x0a|\0\0\0\x0cJXL ",
    "PSD, a picture of Photoshop": rb"8BPS",
    "PDF": rb"%PDF-",
    "an archive, ZIP": rb"PK\x03\x04",
    "SVG": rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?<svg",
    "a web page": rb"(\xef\xbb\xbf)?\s*<(!doctype html|html)",
    "a pointer of Git LFS: `git lfs pull` gets the file": rb"version https://git-lfs",
    "an empty file": rb"\Z",
}
PATTERNS = {name: re.compile(start, re.DOTALL | re.IGNORECASE) for name, start in SIGNATURES.items()}


def name_format(data: bytes) -> str:
    """The format of a file that is neither JPEG nor PNG, with what people know it by; "" where it is not known."""
    if data[4:8] == b"ftyp":
        brands = [data[start : start + 4] for start in (8, *range(16, BOX, 4))]
        return next((name for name, own in BRANDS.items() if set(brands) & set(own)), "a video")
    return next((name for name, start in PATTERNS.items() if start.match(data)), "")
