"""`python benchmarks/videos.py [--seconds 3600]`: 100 frames of a long mp4, streamed, beside PyAV's own decoding loop.

Each way runs in a process of its own: CPU seconds, peak memory, ratio. PyAV's loop decodes every frame and converts the
wanted ones, as a careful reader has to: it is the least that can be done without jumping over frames.
"""

import argparse
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

WAYS = {
    "accord": """
from accord.imaging.video import frames
found = sum(frame.pixels.size > 0 for frame in frames(path, 100))
""",
    "PyAV": """
import av
with av.open(str(path)) as container:
    stream = container.streams.video[0]
    stream.codec_context.thread_count = 1
    whole, found = stream.frames, 0
    wanted = {int((index + 0.5) / 100 * whole) for index in range(100)}
    for number, frame in enumerate(container.decode(stream)):
        if number in wanted:
            found += frame.to_ndarray(format="rgb24").size > 0
""",
}
MEASURED = """
import resource, sys
from pathlib import Path
path = Path(sys.argv[1])
{way}
assert found == 100, found
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def main() -> None:
    """Write the video, and measure each way."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--seconds", type=int, default=3600, help="length of the video (default 3600)")
    flags.add_argument("--width", type=int, default=320, help="px (default 320)")
    flags.add_argument("--height", type=int, default=240, help="px (default 240)")
    flags.add_argument("--rate", type=int, default=10, help="frames a second (default 10)")
    flags.add_argument("--codec", default="mpeg4", help="mpeg4 or libx264 (default mpeg4)")
    told = flags.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.mp4"
        frames = told.seconds * told.rate
        write(path, frames, told.rate, told.width, told.height, told.codec)
        size = path.stat().st_size / 2**20
        said = f"{told.seconds} s, {told.width} x {told.height}, {told.rate} frames a second, {told.codec}"
        print(f"{said}, {size:.0f} MiB")
        found = {name: measured(path, way) for name, way in WAYS.items()}
        for name, (seconds, memory) in found.items():
            each = 1000 * seconds / frames
            ratio = seconds / found["PyAV"][0]
            print(f"{name:8} {seconds:7.1f} CPU s, {each:.2f} ms a frame, {ratio:.2f} of PyAV's, peak {memory:.0f} MiB")


def write(path: Path, count: int, rate: int, width: int, height: int, codec: str) -> None:
    """A video whose picture drifts over noise, so that each frame has something to say."""
    rng = np.random.default_rng(1)
    ground = rng.integers(0, 256, (height + 64, width + 64, 3), dtype=np.uint8)
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream(codec, rate=rate, options={"preset": "ultrafast"} if codec == "libx264" else {})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.time_base = Fraction(1, rate)
        stream.codec_context.bit_rate = 1_000_000
        for number in range(count):
            left, top = number // 4 % 64, number // 8 % 64
            pixels = np.ascontiguousarray(ground[top : top + height, left : left + width])
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def measured(path: Path, way: str) -> tuple[float, float]:
    """CPU seconds and peak memory, MiB, of a process that reads the video so."""
    code = MEASURED.replace("{way}", way)
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    seconds, memory = map(float, done.stdout.split())
    return seconds, memory


if __name__ == "__main__":
    main()
