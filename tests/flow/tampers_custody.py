"""Ways to put or leave things where they must not be: copies, keys, open modes, links."""

import base64
import os
import shutil
from pathlib import Path
from random import Random

from tampers import Told, filled, one, picture, tampering, write

from accord.sealing import signing


@tampering("results: a table copied under another name, with its genuine record")
def _(rng: Random) -> Told:
    path = rng.choice(filled("results/checks/**/*.parquet"))
    shutil.copy(path, path.with_name(f"{path.stem}_{rng.randrange(99)}.parquet"))
    return {}


@tampering("results: a table copied into the folder of another shard, with its genuine record")
def _(rng: Random) -> Told:
    path = rng.choice(filled("results/checks/00/*.parquet"))
    target = Path("results/checks/fe") / path.name
    target.parent.mkdir()
    shutil.copy(path, target)
    return {}


@tampering("signing key: a copy of it left somewhere")
def _(rng: Random) -> Told:
    path = Path(
        rng.choice(["notes.txt", "config/k", "vault/keys/release.pem.bak", "results/checks/a.json", "vault/x/y"])
    )
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    data = Path("vault/keys/release.pem").read_bytes()
    raw = signing.read_private(data).private_bytes_raw()
    path.write_bytes(rng.choice([data, raw, b"key = " + base64.b64encode(raw), raw.hex().encode()]))
    path.chmod(0o600)
    return {}


@tampering("release: a file opened for everybody (mode 777)")
def _(rng: Random) -> Told:
    one(rng, "releases/*/**/*").chmod(rng.choice([0o777, 0o666, 0o464, 0o555]))
    return {}


@tampering("a hard link from outside to a file of the project")
def _(rng: Random) -> Told:
    path = rng.choice([picture(rng), one(rng, "results/*/**/*.tar"), Path("vault/ledger.sqlite")])
    os.link(path, "elsewhere")
    return {}


@tampering("release: a file in place of which lies a hard link to one outside")
def _(rng: Random) -> Told:
    path = picture(rng)
    write(Path("elsewhere"), path.read_bytes())
    Path("elsewhere").chmod(0o444)
    path.unlink()
    os.link("elsewhere", path)
    return {}
