"""The workflow with its results in an object store, held byte by byte against a run on local files.

    pip install --no-deps --target s3 snakemake-storage-plugin-s3 botocore boto3 s3transfer jmespath \\
        'python-dateutil<3' moto flask flask-cors werkzeug itsdangerous blinker responses xmltodict six
    PYTHONPATH=s3:workflow/lib python benchmarks/object_store.py [--subjects 2] [--shards 2] [--target FILE ...]

A part of the demo is run twice: with `results/` on the disk, and in a bucket of a local server (moto). Prints how many
files of results are equal, and the names of those that are not; exits with 1 where there are such.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "flow"))

from house import House, part_of_demo

BUCKET = "accord"
KEYS = {"SNAKEMAKE_STORAGE_S3_ACCESS_KEY": "test", "SNAKEMAKE_STORAGE_S3_SECRET_KEY": "test"}


def main() -> int:
    """Run both and compare."""
    flags = parser().parse_args()
    with tempfile.TemporaryDirectory() as folder:
        local = house(Path(folder) / "local", flags)
        remote = local.copied(Path(folder) / "remote")
        run(local, flags.target)
        wanted = {name: digest for name, digest in local.bytes_of("results").items() if name != "results/README.md"}
        found = stored(remote, flags.target)
    return compared(wanted, found)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--subjects", type=int, default=2)
    made.add_argument("--shards", type=int, default=2)
    made.add_argument("--target", nargs="*", default=[], help="what to make; by default everything")
    return made


def house(folder: Path, flags: argparse.Namespace) -> House:
    """A checkout with a part of the demo's delivery."""
    folder.mkdir()
    made = House(folder)
    part_of_demo(folder / "delivery", flags.subjects)
    made.configure(intake={"deliveries": ["delivery"]}, shards=flags.shards)
    return made


def stored(remote: House, targets: list[str]) -> dict[str, str]:
    """Name -> sha256 of all that a run leaves in a bucket of a local server."""
    import logging

    import boto3
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(port=0)
    server.start()
    try:
        url = "http://{}:{}".format(*server.get_host_and_port())
        client = boto3.client(
            "s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test"
        )
        client.create_bucket(Bucket=BUCKET)
        os.environ.update(KEYS)
        flags = ("--default-storage-provider", "s3", "--default-storage-prefix", f"s3://{BUCKET}")
        shared = ("--shared-fs-usage", "persistence", "software-deployment", "source-cache", "sources")
        run(remote, targets, *flags, "--storage-s3-endpoint-url", url, *shared)
        pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
        names = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
        bodies = ((name, client.get_object(Bucket=BUCKET, Key=name)["Body"].read()) for name in names)
        return {name: hashlib.sha256(body).hexdigest() for name, body in bodies if name.startswith("results/")}
    finally:
        server.stop()


def run(house: House, targets: list[str], *flags: str) -> None:
    """Run the workflow; what it says is shown where it fails."""
    command = [*house.command(*targets), *flags]
    environment = house.environment()
    environment["PYTHONPATH"] += os.pathsep + os.environ.get("PYTHONPATH", "")
    done = subprocess.run(command, cwd=house.folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout[-4000:] + done.stderr[-8000:])


def compared(wanted: dict[str, str], found: dict[str, str]) -> int:
    """Print what is equal and what is not; 1 where something isn't."""
    missing, other = sorted(wanted.keys() - found.keys()), sorted(found.keys() - wanted.keys())
    changed = sorted(name for name in wanted.keys() & found.keys() if wanted[name] != found[name])
    print(f"{len(wanted)} files: {len(wanted) - len(missing) - len(changed)} equal in the bucket")
    for what, names in (("missing", missing), ("not of the local run", other), ("different", changed)):
        print(*(f"{what}: {name}" for name in names), sep="\n", end="\n" if names else "")
    return int(bool(missing or changed))


if __name__ == "__main__":
    sys.exit(main())
