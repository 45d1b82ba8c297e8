"""A small archive in Casual Conversations' format, whose videos show a real face, or none."""

import json
from fractions import Fraction

import av
import numpy as np


def write_video(path, pictures, times=None, turned=0):
    """An mp4 whose frame i, (height, width, 3) uint8 RGB, is shown from times[i] tenths of a second on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.height, stream.width = pictures[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1, 10)
        stream.codec_context.bit_rate = 4_000_000
        if turned:
            stream.set_display_rotation(turned)
        for place, pixels in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
            frame.pts, frame.time_base = (times or range(len(pictures)))[place], Fraction(1, 10)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def broken_video(path, pictures):
    """A video cut in its frames: its header, which comes first, is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = write_video(path.with_suffix(".whole.mp4"), pictures)
    with av.open(str(whole)) as source, av.open(str(path), "w", options={"movflags": "faststart"}) as container:
        stream = container.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                container.mux(packet)
    whole.unlink()
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b"mdat") + 8])
    return path


def entry(files, dark=(), age="31", gender="Female", skin="5"):
    return {"label": {"age": age, "gender": gender, "skin-type": skin}, "files": [*files], "dark_files": [*dark]}


def write_annotations(root, people):
    root.mkdir(parents=True, exist_ok=True)
    (root / "CasualConversations.json").write_text(json.dumps(people))
    return root
