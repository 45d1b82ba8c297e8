"""What it costs to look at a shard's pictures: all of them, and again after something changed.

    python benchmarks/look.py [SHARD]      # in the folder of a project that has run, such as the demo's

Looking (checks.look) is done in this process from the inputs that the shard's tables name: from nothing; with nothing
changed; with a subject gone; with other limits for nudity; with annotations of one image changed. Each is printed with
its CPU seconds, the pictures that were decoded, and its share of "from nothing". The first line is that of a process
that hands freed memory back (accord.engine.memory), after one that loaded the models.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from accord.checks import look
from accord.checks.files import pixels
from accord.engine import memory, step
from accord.engine.parameter_types import Former
from recorded import Given, arguments


def main(shard: str = "00") -> None:
    """Print the table."""
    (_, given), decoded = arguments(Path(f"results/checks/{shard}/decode.parquet")), counted()
    subject = given["images"]["subject"].iloc[0]
    ways: dict[str, Given] = {
        "from nothing": given,
        "nothing changed": given,
        "a subject gone": {**given, "images": without(given["images"], subject)},
        "one setting of one check": {**given, "settings": {**given["settings"], "max_nudity": 0.123}},
        "an image drawn anew": {**given, "segments": given["segments"].iloc[:-1]},
    }
    print(f"{'':26}{'CPU s':>8}{'share':>8}{'decoded':>9}   of {len(given['images'])} pictures")
    look.run(**{**given, "images": given["images"].iloc[:1]}, former=Former({}))
    handed_back = seconds(lambda: look.run(**given, former=Former({})), {}, "memory handed back")
    memory.keep_freed()
    with TemporaryDirectory() as folder:
        outs = {f"out_{name}": Path(folder, f"{name}.parquet") for name in look.Looked._fields}
        whole = 0.0
        for name, way in ways.items():
            decoded.clear()
            former = {field.removeprefix("out_"): path for field, path in outs.items()}
            spent = seconds(lambda way=way, former=former: look.run(**way, former=Former(former)), outs, name)
            if not whole:
                whole = spent
                print(f"{'memory handed back':26}{handed_back:8.1f}{handed_back / whole:8.1%}{len(decoded):9}")
            print(f"{name:26}{spent:8.1f}{spent / whole:8.1%}{len(decoded):9}")


def counted() -> list[int]:
    """One entry for each picture that is decoded from now on."""
    calls: list[int] = []
    decode = pixels.decode
    pixels.decode = lambda data, most: calls.append(1) or decode(data, most)
    return calls


def without(images: pd.DataFrame, subject: str) -> pd.DataFrame:
    """The images but a subject's."""
    return images[images["subject"] != subject].reset_index(drop=True)


def seconds(run: Callable[[], Any], outs: dict[str, Path], name: str) -> float:
    """CPU seconds of looking and writing; what later ways take over is what the first one wrote."""
    start = time.process_time()
    made = run()
    if name == "from nothing":
        step.write(made, look.Looked, outs, {})
        for path in outs.values():
            path.with_name(path.name + step.PARTIAL).replace(path)
    return time.process_time() - start


if __name__ == "__main__":
    main(*sys.argv[1:])
