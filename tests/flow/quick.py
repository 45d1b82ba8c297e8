"""Quick starts for whole runs: `python -m accord ...`, and Snakemake, are forked off a process that has imported the
packages already.

Most of what a small step costs is importing pandas, pandera and torch. A house's PATH begins with a folder whose
`python` hands such a command, with its folder, environment and open files, to the process that `folder` started; all
else it runs itself. Snakemake's code, the commands and accord's code are those of any run.
"""

import contextlib
import fcntl
import functools
import gc
import importlib
import json
import os
import runpy
import select
import shutil
import socket
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).parents[1]))

import accounting

PACKAGES = (
    "pandas", "pandera.pandas", "pandera.typing", "pandera.backends.pandas.register",
    "pandera.accessors.pandas_accessor", "pandera.strategies.pandas_strategies", "pyarrow.parquet", "pyarrow.compute",
    "pyarrow.dataset", "pyarrow.pandas_compat", "scipy.stats", "scipy.optimize", "scipy.ndimage", "scipy.fft",
    "sklearn.ensemble", "sklearn.tree", "cv2", "PIL.Image", "PIL.ImageCms", "PIL.ImageOps", "PIL.JpegImagePlugin",
    "PIL.PngImagePlugin", "PIL.MpoImagePlugin", "PIL.TiffImagePlugin", "PIL.WebPImagePlugin", "torch",
    "diffusers:UNet2DConditionModel", "diffusers:DDIMScheduler", "transformers:CLIPTextModel",
    "transformers:PreTrainedTokenizerFast", "efficientnet_lite_pytorch", "onnxruntime", "ai_edge_litert.interpreter",
    "jsonschema", "yaml", "jinja2", "vl_convert", "rapidfuzz.distance",
    "rapidfuzz.fuzz", "imagehash", "pdqhash", "sqlite3", "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.x509", "c2pa", "pycocotools.mask", "hyperscan", "simplejpeg", "snakemake.cli",
    "snakemake_executor_plugin_slurm", "snakemake_logger_plugin_rich",
)  # fmt: skip
"""What Snakemake and steps import, some by an attribute of a package that imports lazily; never accord itself, of
which each house has a copy of its own."""
MODULES = ("accord", "snakemake")
CLIENT = """\
#!{python} -IS
import json, os, socket, sys

if sys.argv[1:2] != ["-m"] or sys.argv[2] not in {modules}:
    os.execv("{python}", ["{python}", *sys.argv[1:]])
with socket.socket(socket.AF_UNIX) as server:
    server.connect("{address}")
    asked = json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(asked).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(asked)
    told = server.recv(1)
sys.exit(told[0] if told else 255)
"""
WORKER, RUN = "PYTEST_XDIST_WORKER", "PYTEST_XDIST_TESTRUNUID"
COST = os.environ.get(accounting.FILE)
SECONDS_TO_START = 600


@functools.cache
def folder() -> Path:
    """The folder that a PATH begins with: one for all processes of a test run, of which the first starts the server."""
    found = Path(tempfile.gettempdir(), f"accord-quick-{os.environ.get(RUN, os.getpid())}")
    found.mkdir(mode=0o700, exist_ok=True)
    with (found / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (found / "python").exists():
            start(found, os.getppid() if WORKER in os.environ else os.getpid())
    return found


def start(where: Path, run: int) -> None:
    """Start the server and wait until it serves; it ends, and removes the folder, with the process `run`."""
    address, client = where / "socket", where / "python"
    command = [sys.executable, __file__, str(address), str(run)]
    nothing = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
    os.posix_spawn(
        sys.executable, command, {**os.environ, **accounting.ONE_THREAD}, file_actions=[nothing], setsid=True
    )
    end = time.monotonic() + SECONDS_TO_START
    while not address.exists():
        assert time.monotonic() < end, "the process that steps are forked off does not come up"
        time.sleep(0.05)
    client.write_text(CLIENT.format(python=sys.executable, address=address, modules=MODULES))
    client.chmod(0o755)


def serve(address: Path, run: int) -> None:
    """Fork a process for each command that comes, as long as the process `run` lives."""
    for name in PACKAGES:
        module, _, attribute = name.partition(":")
        found = importlib.import_module(module)
        if attribute:
            getattr(found, attribute)
    # Else each step would look through all packages for garbage, again and again, and copy their memory by that.
    gc.freeze()
    gc.set_threshold(*accounting.SELDOM)
    account("start", "packages")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(address.with_suffix(".new")))
        server.listen(64)
        address.with_suffix(".new").rename(address)
        while Path(f"/proc/{run}").exists():
            bury()
            if select.select([server], [], [], 1)[0]:
                asked, _ = server.accept()
                with asked:
                    if not os.fork():
                        server.close()
                        become(asked, address.with_name("python"))
    shutil.rmtree(address.parent)


def account(kind: str, name: str) -> None:
    """Tell benchmarks/tests.py what this process used."""
    if COST:
        accounting.write(COST, kind, name, own=time.process_time())


def bury() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def become(asked: socket.socket, executable: Path) -> NoReturn:
    """Be the process of a command: in its folder, with its environment and open files; tell how it exits."""
    length, files, *_ = socket.recv_fds(asked, 4, 3)
    with asked.makefile("rb") as stream:
        arguments, place, environment = json.loads(stream.read(int.from_bytes(length, "big")))
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(place)
    os.environ.clear()
    os.environ.update(environment)
    library = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:1] = [place, *library]
    sys.argv, sys.executable = arguments, str(executable)
    module = arguments[0]
    code = exit_code(module)
    account("step", next(iter(arguments[1:]), "") if module == "accord" else module)
    sys.stdout.flush()
    sys.stderr.flush()
    asked.send(bytes([code]))
    os._exit(code)


def exit_code(module: str) -> int:
    """Run a module's command line; how a process of its own would exit."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
