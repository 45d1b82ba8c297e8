"""What an independent tool finds in image files besides their pixels: ExifTool, by an allow-list of its tags.

The flow proves every file with its own reader (metadata.py). This asks another one, which knows hundreds of formats of
EXIF, XMP, IPTC, ICC, comments, thumbnails and trailers, and shares no code with it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from accord.errors import AccordError, Problem

COMMAND = ("exiftool", "-a", "-G1", "-s", "-j", "-u", "-charset", "filename=utf8", "-@", "-")
NOT_IN_THE_FILE = ("SourceFile", "ExifTool:ExifToolVersion", "System:", "Composite:ImageSize", "Composite:Megapixels")
STRUCTURE = frozenset(
    {
        *(f"File:{name}" for name in ("FileType", "FileTypeExtension", "MIMEType")),
        *(f"File:{name}" for name in ("ImageWidth", "ImageHeight", "EncodingProcess", "BitsPerSample")),
        *("File:ColorComponents", "File:YCbCrSubSampling"),
        *(f"JFIF:{name}" for name in ("JFIFVersion", "ResolutionUnit", "XResolution", "YResolution")),
        *(f"PNG:{name}" for name in ("ImageWidth", "ImageHeight", "BitDepth", "ColorType", "Compression", "Filter")),
        *("PNG:Interlace", "PNG:Gamma", "PNG:SRGBRendering"),
    }
)
"""Tags that say how pixels are stored, and nothing else."""
CLAIM = frozenset(
    {
        *(f"JUMBF:{name}" for name in ("JUMDType", "JUMDToggles", "JUMDLabel")),
        *("Jpeg2000:C2paActionsV2Salt", "Jpeg2000:C2paHashDataSalt"),
        *(f"CBOR:{name}" for name in ("ActionsAction", "ActionsDigitalSourceType", "ActionsDescription")),
        *(f"CBOR:{name}" for name in ("ExclusionsStart", "ExclusionsLength", "Name", "Alg", "Hash", "Pad")),
        *("CBOR:InstanceID", "CBOR:Claim_Generator_InfoName", "CBOR:Claim_Generator_InfoOrgContentauthC2Pa_Rs"),
        *(f"CBOR:{kind}_Assertions{part}" for kind in ("Created", "Gathered") for part in ("Url", "Hash")),
        *(f"CBOR:{name}" for name in ("Signature", "Item0", "Item1Pad", "Item2", "Item3")),
    }
)
"""Tags of the C2PA claim that a painted picture carries in a release (accord.release.claims.c2pa)."""
HINT = "apt-get install libimage-exiftool-perl"


def is_there() -> bool:
    """Whether ExifTool is installed."""
    return shutil.which(COMMAND[0]) is not None


def unexpected(files: Iterable[Path]) -> dict[Path, list[str]]:
    """File -> names of tags that are not on the allow-list, for each file that has some; values are left out.

    All files are read by one process. Raises AccordError where ExifTool is not installed, or did not read each file.
    """
    wanted = [Path(file) for file in files]
    if not is_there():
        raise AccordError(Problem("ExifTool", "is not installed", HINT))
    if not wanted:
        return {}
    names = "".join(f"{file.resolve()}\n" for file in wanted)
    done = subprocess.run(COMMAND, input=names.encode(), capture_output=True, check=False)
    told = {record["SourceFile"]: record for record in json.loads(done.stdout or b"[]")}
    missing = [file for file in wanted if str(file.resolve()) not in told]
    if missing:
        raise AccordError([Problem(file.name, "can't be read by ExifTool", "is it an image?") for file in missing])
    found = {file: _strange(told[str(file.resolve())]) for file in wanted}
    return {file: tags for file, tags in found.items() if tags}


def _strange(record: dict) -> list[str]:
    """Tags that are neither about the file in its folder nor of the structure of its pixels nor of a claim."""
    return sorted(tag for tag in record if not tag.startswith(NOT_IN_THE_FILE) and tag not in STRUCTURE | CLAIM)
