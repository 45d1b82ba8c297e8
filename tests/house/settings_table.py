"""The table of config/README.md: keys, types and defaults as schema and config.yaml have them, meanings as written.

`python tests/house/settings_table.py` writes it anew; a key that it lacks gets the description of the schema.
"""

from pathlib import Path

import yaml

CONFIG = Path(__file__).parents[2] / "config"
README = CONFIG / "README.md"
HEAD = ["| key | type | default | meaning |", "|---|---|---|---|"]
LONGEST = 60
"""Most characters of a default that is written out."""
BOUNDS = {"minimum": "from", "exclusiveMinimum": "over", "maximum": "to", "exclusiveMaximum": "under"}


def settings(schema: dict, prefix: str = "") -> dict[str, dict]:
    """Key -> its schema, in the schema's order; keys of a room are `room/key`."""
    found = {}
    for name, node in schema["properties"].items():
        if not prefix and "properties" in node:
            found |= settings(node, f"{name}/")
        else:
            found[prefix + name] = node
    return found


def kind(node: dict) -> str:
    """The type of a setting in words: `integer from 1 to 256`, `text or null`, `list of text`, `hold, drop or pass`."""
    if "enum" in node:
        return _either([str(yaml.safe_dump(value)).split("\n")[0] for value in node["enum"]])
    if "anyOf" in node or "oneOf" in node:
        return _either([kind(one) for one in node.get("anyOf", node.get("oneOf"))])
    types = node["type"] if isinstance(node["type"], list) else [node["type"]]
    return _either([_typed(one, node) for one in types])


def default(value: object) -> str:
    """A default as YAML writes it in one line; of a long one how many entries it has."""
    written = yaml.safe_dump(value, default_flow_style=True, width=10**6, sort_keys=False).split("\n...")[0].strip()
    if len(written) <= LONGEST:
        return written
    if isinstance(value, dict) and len({str(one) for one in value.values()}) == 1:
        return f"{next(iter(value.values()))} for all"
    return "a text" if isinstance(value, str) else f"{len(value)} entries"


def table(schema: dict, config: dict, meanings: dict[str, str]) -> list[str]:
    """The lines of the table."""
    lines = []
    for key, node in settings(schema).items():
        room, _, name = key.partition("/")
        value = config[room][name] if name else config[room]
        description = node["description"][:1].upper() + node["description"][1:]
        lines.append(f"| `{key}` | {kind(node)} | {default(value)} | {meanings.get(key, description)} |")
    return HEAD + lines


def meanings(text: str) -> dict[str, str]:
    """Key -> what the last cell of its row says."""
    rows = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return {cells[0].strip(" `"): cells[-1].strip() for cells in rows}


def written(text: str) -> str:
    """A README with its table as it should be."""
    schema = yaml.safe_load((CONFIG.parent / "workflow/schemas/config.schema.yaml").read_text())
    config = yaml.safe_load((CONFIG / "config.yaml").read_text())
    kept = [line for line in text.splitlines() if not line.startswith("|")]
    at = next(number for number, line in enumerate(text.splitlines()) if line.startswith("|"))
    return "\n".join([*kept[:at], *table(schema, config, meanings(text)), *kept[at:]]) + "\n"


def _typed(name: str, node: dict) -> str:
    if name == "array":
        return f"list of {kind(node['items'])}" if node.get("items", {}).get("type") not in (None, "object") else "list"
    if name == "object":
        return "mapping"
    if name in ("integer", "number"):
        return " ".join([name, *(f"{word} {node[key]:g}" for key, word in BOUNDS.items() if key in node)])
    return {"string": "text", "boolean": "true or false"}.get(name, name)


def _either(parts: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


if __name__ == "__main__":
    README.write_text(written(README.read_text()))
