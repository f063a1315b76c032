"""Settings that are taken from the files of Transformers and Sentence Transformers beside a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import UsageError
from gate.models.beside import said_beside

POOLING = "1_Pooling/config.json"
USUAL = ["Transformer", "Pooling", "Normalize"]


def write(folder: Path, **files: Any) -> Path:
    """JSON files, by a short name each."""
    names = {
        "config": "config.json",
        "pooling": POOLING,
        "modules": "modules.json",
        "sentence": "sentence_bert_config.json",
        "prompts": "config_sentence_transformers.json",
    }
    for key, data in files.items():
        path = folder / names[key]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return folder


def modules(*names: str) -> list[dict[str, Any]]:
    return [{"idx": at, "type": f"sentence_transformers.models.{name}"} for at, name in enumerate(names)]


def values(folder: Path, *given: str) -> dict[str, Any]:
    return {key: said.value for key, said in said_beside(folder, frozenset(given)).items()}


def test_nothing_beside_a_model_says_nothing(tmp_path: Path) -> None:
    assert values(tmp_path) == {}


def test_each_setting_names_the_file_that_it_is_from(tmp_path: Path) -> None:
    write(
        tmp_path,
        config={"architectures": ["BertModel"], "max_position_embeddings": 512},
        pooling={"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False},
        modules=modules(*USUAL),
        sentence={"max_seq_length": 256},
        prompts={"prompts": {"query": "query: ", "passage": "passage: "}, "default_prompt_name": None},
    )
    said = said_beside(tmp_path)
    assert {key: (one.value, one.file) for key, one in said.items()} == {
        "pooling": ("cls", POOLING),
        "normalise": (True, "modules.json"),
        "max_length": (256, "sentence_bert_config.json"),
        "query_prefix": ("query: ", "config_sentence_transformers.json"),
        "document_prefix": ("passage: ", "config_sentence_transformers.json"),
    }


@pytest.mark.parametrize(
    ("said", "pooling"),
    [
        ({"pooling_mode_mean_tokens": True}, "mean"),
        ({"pooling_mode_cls_token": True}, "cls"),
        ({"pooling_mode_lasttoken": True, "pooling_mode_mean_tokens": False}, "last"),
        ({"pooling_mode": "lasttoken"}, "last"),
    ],
)
def test_pooling_modes_that_are_known(tmp_path: Path, said: dict[str, Any], pooling: str) -> None:
    assert values(write(tmp_path, pooling=said))["pooling"] == pooling


@pytest.mark.parametrize(
    "said",
    [
        {"pooling_mode_max_tokens": True},
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
        {"pooling_mode": "weightedmean"},
    ],
)
def test_pooling_that_is_not_done_is_refused_unless_an_option_takes_its_place(
    tmp_path: Path, said: dict[str, Any]
) -> None:
    write(tmp_path, pooling=said)
    with pytest.raises(UsageError) as raised:
        said_beside(tmp_path)
    assert POOLING in str(raised.value)
    assert "pooling" not in values(tmp_path, "pooling")


def test_without_a_module_that_normalises_vectors_keep_their_length(tmp_path: Path) -> None:
    assert values(write(tmp_path, modules=modules("Transformer", "Pooling")))["normalise"] is False


def test_a_layer_behind_the_transformer_is_refused_unless_an_output_is_named(tmp_path: Path) -> None:
    write(tmp_path, modules=modules("Transformer", "Pooling", "Dense"))
    with pytest.raises(UsageError, match="Dense"):
        said_beside(tmp_path)
    assert values(tmp_path, "output")["normalise"] is False


@pytest.mark.parametrize(
    ("config", "sentence", "length"),
    [
        ({"max_position_embeddings": 256}, {}, 256),
        ({"max_position_embeddings": 512}, {"max_seq_length": 128}, 128),
        ({"max_position_embeddings": 512}, {"max_seq_length": 8192}, 512),
        ({"max_position_embeddings": 514, "model_type": "xlm-roberta"}, {"max_seq_length": 514}, 512),
        ({"max_position_embeddings": 8194, "model_type": "xlm-roberta"}, {"max_seq_length": 8192}, 8192),
        ({"max_position_embeddings": 8192}, {}, None),
        ({}, {"max_seq_length": None}, None),
        ({"max_position_embeddings": True}, {}, None),
    ],
)
def test_the_length_is_what_was_meant_and_never_more_than_there_are_positions(
    tmp_path: Path, config: dict[str, Any], sentence: dict[str, Any], length: int | None
) -> None:
    assert values(write(tmp_path, config=config, sentence=sentence)).get("max_length") == length


def test_a_classifier_of_pairs_is_a_cross_encoder_without_pooling(tmp_path: Path) -> None:
    write(
        tmp_path,
        config={"architectures": ["XLMRobertaForSequenceClassification"], "model_type": "xlm-roberta"},
        pooling={"pooling_mode_max_tokens": True},
    )
    assert values(tmp_path) == {"kind": "cross-encoder"}


@pytest.mark.parametrize(
    ("prompts", "query", "document"),
    [
        ({"prompts": {"query": "q: "}}, "q: ", None),
        ({"prompts": {"query": "q: ", "document": "d: ", "passage": "p: "}}, "q: ", "d: "),
        ({"prompts": {"all": "a: "}, "default_prompt_name": "all"}, "a: ", "a: "),
        ({"prompts": {}}, None, None),
        ({"prompts": "none"}, None, None),
    ],
)
def test_prompts_become_prefixes(
    tmp_path: Path, prompts: dict[str, Any], query: str | None, document: str | None
) -> None:
    found = values(write(tmp_path, prompts=prompts))
    assert (found.get("query_prefix"), found.get("document_prefix")) == (query, document)


def test_pooling_without_the_tokens_of_a_prompt_is_refused_where_there_is_one(tmp_path: Path) -> None:
    write(tmp_path, pooling={"pooling_mode_mean_tokens": True, "include_prompt": False})
    assert values(tmp_path)["pooling"] == "mean"
    write(tmp_path, prompts={"prompts": {"query": "q: "}})
    with pytest.raises(UsageError, match="prompts"):
        said_beside(tmp_path)


@pytest.mark.parametrize("text", ["{", "[]", '"text"', "[" * 100_000])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError) as raised:
        said_beside(write(tmp_path, config=text))
    assert raised.value.where.endswith("config.json")
