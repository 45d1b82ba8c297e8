"""Where the videos of a release lie, and the columns of their table. FHIBE has none, so neither is FHIBE's."""

FOLDER = "data/videos"
TABLE = "data/processed/videos/videos.csv"
COLUMNS = (
    "video_id", "filepath", "subject_id", "is_primary", "consent", "video_height", "video_width", "frames",
    "frame_rate", "seconds", "people_painted",
)  # fmt: skip
MEDIA = "video/mp4"
PATTERN = f"{FOLDER}/*/*.mp4"


def place(subject: str, video: str) -> str:
    """The path of a video in a release, from the release's ids of its primary subject and of itself."""
    return f"{FOLDER}/{subject}/{video}.mp4"


def video_of(path: str) -> str:
    """The id of the video that a path in a release is of; "" where it is none."""
    name = path.rpartition("/")[2]
    return name.removesuffix(".mp4") if path.startswith(f"{FOLDER}/") and name.endswith(".mp4") else ""
