"""The names of the findings that prove a painted video. Whoever only reads them needs no package for videos."""

READ, METADATA, FRAMES, FILLED, FACES = "video", "metadata", "video_frames", "video_fill", "face_blazeface"
PROOFS = frozenset({READ, METADATA, FRAMES, FILLED, FACES})
"""What each painted file must have, and pass."""
