"""Run one step from the shell: the signature of its `run` is its command line.

| annotation                  | flag                                                                   |
|-----------------------------|------------------------------------------------------------------------|
| DataFrame[Model]            | Parquet files, read as one checked table; none gives an empty one      |
| Path, list[Path]            | an input file, or several                                              |
| Folder, list[Folder]        | an input folder, or several                                            |
| Private                     | a thing in the vault                                                   |
| Sink                        | a file that the step writes                                            |
| Former                      | none: what the step wrote the last time, from its outputs' paths       |
| dict, list[...]             | JSON                                                                   |
| str, int, float, bool       | itself                                                                 |
| Annotated[..., function]    | what the function makes of the flag's text, as Count and Seed          |

What `run` returns is written to `--out`: a table (Typed and Kept ones too) to Parquet, a dict to JSON, a string to
text. A NamedTuple of these is written to one `--out-<field>` each, `Files` to all that `--out` names. A parameter with
a default may be left out; the flag of one whose default is None may be given without a value, which is the same.
"""

import argparse
import importlib
import inspect
import json
import types
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from accord.command_line import Parser
from accord.engine import by_shard, file_outputs, flag_types, provenance
from accord.engine.parameter_types import Files, Folder, Former, Private, Sink, Typed
from accord.errors import AccordError, Problem

PARTIAL = ".partial"


def run_step(name: str, argv: list[str]) -> None:
    """Run the step `room.name` with the flags `argv`, and write what it returns."""
    run = load(name)
    kinds, returns = signature(run)
    flags = vars(parser(name, run).parse_args(argv))
    code = flags.pop("code")
    outs = {key: flags.pop(key) for key in outputs(returns)}
    sinks = {key: Path(flags[key]) for key, kind in kinds.items() if kind is Sink and flags[key] is not None}
    record = provenance.record(name, code, _inputs(flags, kinds), _params(flags, kinds))
    given = {key: kind for key, kind in kinds.items() if kind is not Former and flags[key] is not None}
    apart = [key for key in by_shard.divided(run, flags) if key in given]
    values = {key: _value(flags[key], kind, sinks.get(key)) for key, kind in given.items() if key not in apart}
    values |= {key: _former(outs, sinks) for key, kind in kinds.items() if kind is Former}
    paths = [*sinks.values(), *file_outputs.flat(outs.values())]
    file_outputs.make_folders(paths)
    if apart:
        files = {key: flags[key] for key in apart}
        result = by_shard.results(run, files, lambda key, some: _value(some, kinds[key], None), values)
    else:
        result = run(**values)
    write(result, returns, outs, provenance.with_outputs(record, {k: _partial(p) for k, p in sinks.items()}))
    for path in paths:
        _partial(path).replace(path)


def load(name: str) -> Callable:
    """The `run` of the step `room.name`. Raises AccordError where there is none."""
    hint = "steps are named room.step; `accord steps` lists them"
    if not all(part.isidentifier() for part in name.split(".")):
        raise AccordError(Problem(name, "no such step", hint))
    try:
        return importlib.import_module(f"accord.{name}").run
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("accord"):
            raise
        raise AccordError(Problem(name, "no such step", hint)) from None
    except AttributeError:
        raise AccordError(Problem(name, "is a module without a step", hint)) from None


@cache
def signature(run: Callable) -> tuple[dict[str, Any], Any]:
    """The kinds of the parameters of `run` (optional ones unwrapped), and what it returns."""
    hints = get_type_hints(run)
    returns = hints.pop("return", None)
    return {key: _required(hint) for key, hint in hints.items()}, returns


def parser(name: str, run: Callable) -> argparse.ArgumentParser:
    """The command line of a step."""
    kinds, returns = signature(run)
    hints = get_type_hints(run, include_extras=True)
    made = Parser(prog=f"accord {name}", description=inspect.getdoc(run))
    defaults = {k: p.default for k, p in inspect.signature(run).parameters.items() if p.default is not p.empty}
    for key, kind in kinds.items():
        if kind is Former:
            continue
        told = _argument(kind, defaults.get(key, kind) is None) | _reader(hints[key])
        made.add_argument(_flag(key), required=key not in defaults, **told)
    for key, kind in outputs(returns).items():
        made.add_argument(_flag(key), type=Path, required=True, nargs="+" if kind is Files else None)
    made.add_argument("--code", default="unversioned", help="digest of the code, set by the workflow")
    return made


def outputs(returns: Any) -> dict[str, Any]:
    """Argument name -> kind of each thing that the step returns."""
    if returns in (None, type(None)):
        return {}
    if isinstance(returns, type) and issubclass(returns, tuple) and hasattr(returns, "_fields"):
        return {f"out_{field}": hint for field, hint in get_type_hints(returns).items()}
    return {"out": returns}


def table_of(kind: Any) -> Any:
    """The table model of DataFrame[Model]; None for any other kind."""
    return get_args(kind)[0] if getattr(get_origin(kind), "__name__", "") == "DataFrame" else None


def _required(hint: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        return next(part for part in get_args(hint) if part is not type(None))
    return hint


def _flag(key: str) -> str:
    return f"--{key.replace('_', '-')}"


def _argument(kind: Any, optional: bool = False) -> dict[str, Any]:
    """What argparse is told of a flag; one that is optional may be given without a value, and then isn't given."""
    if table_of(kind) or kind == list[Path]:
        return {"nargs": "*", "type": Path}
    if kind == list[Folder]:
        return {"nargs": "*", "type": Path}
    single = {"nargs": "?"} if optional else {}
    if kind in (Path, Folder, Private, Sink):
        return {"type": Path, **single}
    if _is_json(kind):
        return {"type": flag_types.values, "metavar": "JSON"}
    return {"type": {bool: flag_types.boolean, float: flag_types.number}.get(kind, kind), **single}


def _reader(hint: Any) -> dict[str, Any]:
    """What argparse is told of how the text of a flag is read, where the annotation says it."""
    readers = getattr(_required(hint), "__metadata__", ())
    return {"type": readers[0]} if readers else {}


def _is_json(kind: Any) -> bool:
    return kind in (dict, list) or get_origin(kind) in (dict, list)


def _value(given: Any, kind: Any, sink: Path | None) -> Any:
    if sink is not None:
        return _partial(sink)
    model = table_of(kind)
    if model is None:
        return given
    from accord.engine import table

    return table.read(given, model)


def _inputs(flags: dict, kinds: dict) -> dict[str, list[Path]]:
    """Argument -> the files that were given for it."""
    are_files = [key for key, kind in kinds.items() if table_of(kind) or kind in (Path, list[Path])]
    given = {key: flags[key] for key in are_files if flags[key] is not None}
    return {key: value if isinstance(value, list) else [value] for key, value in given.items()}


def _params(flags: dict, kinds: dict) -> dict[str, Any]:
    inputs = {key for key, kind in kinds.items() if table_of(kind) or kind in (Path, list[Path], Sink)}
    plain = {key: value for key, value in flags.items() if key not in inputs and value is not None}
    return {key: _recorded(value, kinds[key]) for key, value in plain.items()}


def _recorded(value: Any, kind: Any) -> Any:
    """A parameter as provenance tells it: folders by their names alone, wherever they lie."""
    if kind in (Folder, Private):
        return value.resolve().name
    if kind == list[Folder]:
        return [path.resolve().name for path in value]
    return provenance.portable(value) if isinstance(value, Path) else value


def _former(outs: dict[str, Any], sinks: dict[str, Path]) -> Former:
    single = {key.removeprefix("out_"): path for key, path in outs.items() if isinstance(path, Path)}
    several = [file_outputs.named(paths) for paths in outs.values() if isinstance(paths, list)]
    return Former(single | sinks | {name: path for named in several for name, path in named.items()})


def _partial(path: Path) -> Path:
    return path.with_name(path.name + PARTIAL)


def write(result: Any, returns: Any, outs: dict[str, Any], record: dict) -> None:
    """Write what a step returned, under temporary names (with `PARTIAL` behind), with its provenance."""
    kinds = outputs(returns)
    if returns is Files:
        for path, data in file_outputs.placed(result, outs["out"], record).items():
            _partial(path).write_bytes(data)
        return
    values = [result] if list(kinds) == ["out"] else list(result or ())
    for (key, kind), value in zip(kinds.items(), values, strict=True):
        _write_one(value, kind, _partial(outs[key]), record)


def _write_one(value: Any, kind: Any, path: Path, record: dict) -> None:
    if kind is Typed or table_of(kind) is not None:
        file_outputs.write_typed(value if kind is Typed else Typed(value, table_of(kind)), path, record)
    elif isinstance(value, str):
        path.write_text(provenance.into_text(value, record))
    else:
        document = {**value, "provenance": record}
        path.write_text(json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")
