"""How a model is to be used, from the files that stand beside it: those of Transformers and of Sentence Transformers.

What they say is a default, and each knows which file said it. What they ask for and is not done here
is an error, since a model that is used in another way than it was trained for gives worse vectors, and no sign of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from gate.errors import Problem, UsageError
from gate.files import read_text, shown
from gate.models.paths import is_file
from gate.models.spec import CROSS_ENCODER, EMBEDDER, LONGEST, MOST

CONFIG, MODULES, SENTENCE = "config.json", "modules.json", "sentence_bert_config.json"
PROMPTS = "config_sentence_transformers.json"
LARGEST = 1 << 20  # bytes of one of these files
# Keys of a pooling module that are known here. Others (max, weighted mean, ...) are not done.
_POOLING: Mapping[str, str] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "last",
}
_MODES: Mapping[str, str] = {"cls": "cls", "mean": "mean", "lasttoken": "last"}
_MODULES = frozenset({"Transformer", "Pooling", "Normalize"})
# Positions of RoBERTa and its kin start after the padding token: two of them are never used.
_UNUSED_POSITIONS = 2


@dataclass(frozen=True, slots=True)
class Said:
    """A setting, and the file that says so, by its path in the folder."""

    value: Any
    file: str


def said_beside(folder: Path, given: frozenset[str] = frozenset()) -> dict[str, Said]:
    """The settings of a model that files in its folder tell, by their names in a pin.

    `given` are settings that somebody chose: what files say of those is not looked at. Raises
    UsageError with all that is not done here, or cannot be read.
    """
    said: dict[str, Said] = {}
    problems: list[Problem] = []
    config = _mapping(folder / CONFIG)
    if config:
        said |= _of_config(config)
    if said.get("kind", Said(EMBEDDER, "")).value == EMBEDDER or "kind" in given:
        modules = _read(folder / MODULES, list)
        pooling = _mapping(folder / "1_Pooling" / CONFIG)
        problems += _foreign_modules(modules, folder / MODULES) if "output" not in given else ()
        if modules is not None:
            said["normalise"] = Said("Normalize" in _types(modules), MODULES)
        if pooling and "pooling" not in given:
            _take_pooling(pooling, folder, said, problems)
        said |= _prompts(_mapping(folder / PROMPTS))
        if pooling.get("include_prompt") is False and any(
            f"{side}_prefix" in given or said.get(f"{side}_prefix", Said("", "")).value
            for side in ("query", "document")
        ):
            problems.append(
                Problem("it pools without the tokens of its prompts, which is not done here", f"1_Pooling/{CONFIG}")
            )
    said |= _length(config, _mapping(folder / SENTENCE))
    if problems:
        raise UsageError(
            "model-settings",
            "the files beside this model ask for what is not done here",
            where=str(folder),
            problems=tuple(problems),
            hint="Options take the place of what they say: --pooling, or --output for one that the graph itself pools.",
        )
    return said


def _of_config(config: Mapping[str, Any]) -> dict[str, Said]:
    said = {}
    names = config.get("architectures")
    if isinstance(names, list) and any(str(name).endswith("ForSequenceClassification") for name in names):
        said["kind"] = Said(CROSS_ENCODER, CONFIG)
    return said


def _length(config: Mapping[str, Any], sentence: Mapping[str, Any]) -> dict[str, Said]:
    """What the model was meant to read, and never more than it has positions for."""
    positions, meant = config.get("max_position_embeddings"), sentence.get("max_seq_length")
    room = None
    if _whole(positions):
        room = max(4, positions - (_UNUSED_POSITIONS if "roberta" in str(config.get("model_type")) else 0))
    if _whole(meant):
        return {"max_length": Said(meant, SENTENCE) if room is None or meant <= room else Said(room, CONFIG)}
    return {"max_length": Said(room, CONFIG)} if room is not None and room <= LONGEST else {}


def _take_pooling(pooling: Mapping[str, Any], folder: Path, said: dict[str, Said], problems: list[Problem]) -> None:
    file = f"1_Pooling/{CONFIG}"
    mode = pooling.get("pooling_mode")
    chosen = [key for key, value in pooling.items() if key.startswith("pooling_mode_") and value is True]
    known = [_POOLING[key] for key in chosen if key in _POOLING]
    if isinstance(mode, str) and mode in _MODES:
        said["pooling"] = Said(_MODES[mode], file)
    elif len(chosen) == len(known) == 1:
        said["pooling"] = Said(known[0], file)
    elif mode is not None or chosen:
        told = " and ".join(chosen) if mode is None else shown(mode)
        problems.append(Problem(f"it pools by {told}; cls, mean and last are known", str(folder / file)))


def _prompts(config: Mapping[str, Any]) -> dict[str, Said]:
    prompts = config.get("prompts")
    if not isinstance(prompts, dict):
        return {}
    usual = prompts.get(str(config.get("default_prompt_name")))
    found = {}
    for side, names in (("query", ("query",)), ("document", ("document", "passage", "corpus"))):
        texts = [prompts[name] for name in names if isinstance(prompts.get(name), str)]
        text = texts[0] if texts else usual
        if isinstance(text, str):
            found[f"{side}_prefix"] = Said(text, PROMPTS)
    return found


def _types(modules: list[Any]) -> list[str]:
    """The class of each module, without where it is defined."""
    return [str(one.get("type", "")).rpartition(".")[2] for one in modules if isinstance(one, dict)]


def _foreign_modules(modules: list[Any] | None, path: Path) -> list[Problem]:
    foreign = [name for name in _types(modules or []) if name not in _MODULES]
    return [Problem(f"it has a module {shown(name)} after the transformer", str(path)) for name in foreign]


def _whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 4 <= value <= MOST


def _mapping(path: Path) -> Mapping[str, Any]:
    """A JSON object; empty where the file is not there. Raises UsageError."""
    found: Mapping[str, Any] | None = _read(path, dict)
    return found or {}


def _read(path: Path, kind: type) -> Any:
    if not is_file(path):
        return None
    try:
        data = json.loads(read_text(path, "settings of the model", LARGEST))
    except (ValueError, RecursionError) as error:
        raise UsageError("model-settings", f"this is no JSON: {error}", where=str(path)) from None
    if not isinstance(data, kind):
        what = "an object" if kind is dict else "a list"
        raise UsageError("model-settings", f"this has to be {what}, not {shown(data)}", where=str(path))
    return data
