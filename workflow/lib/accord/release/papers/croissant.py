"""The Croissant description of a release (version 1.1), with the vocabulary for responsible AI (RAI 1.0).

Where and when a release is offered is not known when it is made: `accord release export croissant` adds `url` and
`datePublished` for who offers it.
"""

import json
from pathlib import Path
from typing import Any

from accord.engine import resources
from accord.release.format import fhibe, videos
from accord.release.papers import datasheet

NAME = "croissant.json"
HERE = resources.beside(__name__)
CONFORMS_TO = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
PURPOSE = ", to evaluate"
"""Where the description comes to the usual purpose."""
TERMS = (
    "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileProperty",
    "fileObject", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5", "parentField",
    "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator", "source",
    "subField", "transform",
)  # fmt: skip
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "description": {"@container": "@language"},
} | {term: f"cr:{term}" for term in TERMS}
TABLES = {"images": (fhibe.WHOLE_TABLE, fhibe.WHOLE_COLUMNS), "faces": (fhibe.FACE_TABLE, fhibe.FACE_COLUMNS)}
"""Record set -> its table and columns: one record per person in a picture, and per aligned face."""

VIDEOS = "videos"
"""Record set of videos, where there are some: one record per person in one."""

VIDEO_PROTOCOL = (
    "Videos are encoded anew from their frames, without sound; everybody in them who is not annotated is painted over."
)

PICTURES = {
    "pictures": f"{fhibe.RAW}/*/*/main_*.png",
    "face-crops": f"{fhibe.RAW}/*/*/faces_crop_only_*.png",
    "aligned-faces": f"{fhibe.RAW}/*/*/faces_crop_and_align_*.png",
    "masks": f"{fhibe.MASKS}/*/*.png",
}
TYPES = {"image_height": "Integer", "image_width": "Integer", "is_primary": "Boolean", "consent": "Boolean"}
TYPES |= {"video_height": "Integer", "video_width": "Integer", "frames": "Integer", "people_painted": "Boolean"}
TYPES |= dict.fromkeys((*fhibe.CAMERA_NUMBERS, "frame_rate", "seconds"), "Float")
"""Types of columns; all others are text: labels, and lists of them as literals."""


def croissant(facts: dict[str, Any], digests: dict[str, str]) -> str:
    """The description as JSON-LD. `facts`: dataset, version, numbers of images and videos; `digests`: path -> sha256 of
    the release's files."""
    told = json.loads((HERE / "croissant.json").read_text(encoding="utf-8"))
    pictures = datasheet.kind_of_pictures(facts)
    things = f"{pictures} and videos" if facts.get("videos") else pictures
    told["description"] = told["description"].replace("Photographs", things)
    if facts.get("purpose"):
        told["description"] = f"{told['description'].partition(PURPOSE)[0]}. {facts['purpose']}"
    if facts.get("rendered"):
        acquired = datasheet.ACQUIRED[pictures].format(rendered=f"{facts['rendered']:,}")
        told["rai:dataCollection"] = f"{acquired} {told['rai:dataCollection'].partition('. ')[2]}"
        told["rai:dataCollectionRawData"] = told["rai:dataCollectionRawData"].replace("photographs", "pictures")
    if facts.get("videos"):
        told["rai:dataPreprocessingProtocol"].append(VIDEO_PROTOCOL)
    name, version = facts["dataset"], facts["version"]
    head = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": name,
        "version": version,
        "creator": {"@type": "Organization", "name": facts.get("creator") or f"The team that collected {name}"},
        "citeAs": f"{name}, version {version}",
    }
    filmed = {VIDEOS: (videos.TABLE, videos.COLUMNS)} if facts.get("videos") else {}
    files = [_table(path, digests[path]) for path, _ in (TABLES | filmed).values()]
    files += [_files(name, pattern, "image/png") for name, pattern in PICTURES.items()]
    files += [_files("video-files", videos.PATTERN, videos.MEDIA)] if filmed else []
    records = [_records(name, path, columns) for name, (path, columns) in (TABLES | filmed).items()]
    return json.dumps({**head, **told, "distribution": files, "recordSet": records}, indent=1) + "\n"


def offered(description: bytes, day: str, url: str = "") -> str:
    """A release's description with the day (ISO 8601) on which it is offered, and where. Raises ValueError."""
    told = json.loads(description)
    if not isinstance(told, dict) or told.get("@type") != "sc:Dataset":
        raise ValueError("is not the description of a dataset")
    told |= {"datePublished": day} | ({"url": url} if url else {})
    return json.dumps(told, indent=1) + "\n"


def _table(path: str, digest: str) -> dict[str, str]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": Path(path).name,
        "contentUrl": path,
        "encodingFormat": "text/csv",
        "sha256": digest,
    }


def _files(name: str, pattern: str, media: str) -> dict[str, str]:
    return {"@type": "cr:FileSet", "@id": name, "name": name, "includes": pattern, "encodingFormat": media}


def _records(name: str, path: str, columns: tuple[str, ...]) -> dict[str, Any]:
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{column}",
            "name": column,
            "dataType": f"sc:{TYPES.get(column, 'Text')}",
            "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
        }
        for column in columns
    ]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields}
