from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from gate import files
from gate.errors import Problem, UsageError
from gate.files import (
    MAX_YAML,
    LinedData,
    canonical_json,
    nearest,
    read_text,
    read_yaml,
    shown,
    violations,
    write_atomic,
)


def written(folder: Path, content: str | bytes, name: str = "file.yml") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refused(path: Path, what: str = "settings") -> UsageError:
    with pytest.raises(UsageError) as caught:
        read_yaml(path, what, "settings")
    assert str(path) in caught.value.where
    return caught.value


# --- text -----------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_at_once_also_through_a_link(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        with pytest.raises(UsageError, match="the settings file is no file, but a pipe") as caught:
            read_text(tmp_path / name, "settings")
        assert caught.value.where == str(tmp_path / name)


def test_text_loses_its_byte_order_mark_and_its_carriage_returns(tmp_path: Path) -> None:
    assert read_text(written(tmp_path, b"\xef\xbb\xbfone\r\ntwo\rthree\n"), "settings") == "one\ntwo\nthree\n"


def test_other_line_separators_stay_in_the_text(tmp_path: Path) -> None:
    assert read_text(written(tmp_path, "a\u2028b\x0cc\u0085"), "corpus") == "a\u2028b\x0cc\u0085"


@pytest.mark.parametrize(
    ("content", "line", "byte"), [(b"\xff", 1, 0), (b"a\nb\nc\xe9\n", 3, 5), (b"\xff\xfea\0", 1, 0)]
)
def test_text_that_is_not_utf8_is_refused_with_its_line(tmp_path: Path, content: bytes, line: int, byte: int) -> None:
    path = written(tmp_path, content)
    with pytest.raises(UsageError, match=f"not UTF-8: byte {byte} cannot be decoded") as caught:
        read_text(path, "settings")
    assert caught.value.where == f"{path}:{line}"
    assert caught.value.hint == "Save it as UTF-8."


def test_missing_file_folder_and_unreadable_file_are_told_apart(tmp_path: Path) -> None:
    loop = tmp_path / "loop.yml"
    loop.symlink_to(loop)
    cases = (
        (tmp_path / "nowhere.yml", "file-missing", "there is no settings file here"),
        (tmp_path, "file-unreadable", "the settings file is a folder"),
        (loop, "file-unreadable", "the settings file cannot be read"),
        (tmp_path / "a\0b", "file-unreadable", "the settings file cannot be read"),
        (tmp_path / "\ud800", "file-unreadable", "the settings file cannot be read"),
        (tmp_path / ("x" * 300), "file-unreadable", "the settings file cannot be read"),
    )
    for path, slug, what in cases:
        with pytest.raises(UsageError) as caught:
            read_text(path, "settings")
        assert caught.value.slug == slug
        assert what in caught.value.what
        assert caught.value.hint


def test_permission_is_named_where_a_file_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(self: Path, mode: str = "r") -> None:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, "")
    monkeypatch.setattr(Path, "open", deny)
    with pytest.raises(UsageError, match="cannot be read: Permission denied"):
        read_text(path, "settings")


def test_text_beyond_the_limit_is_refused_and_at_the_limit_is_not(tmp_path: Path) -> None:
    path = written(tmp_path, "x" * 2048)
    assert len(read_text(path, "settings", 2048)) == 2048
    with pytest.raises(UsageError, match="larger than 1 KiB"):
        read_text(path, "settings", 1500)


def test_yaml_that_never_ends_is_refused(tmp_path: Path) -> None:
    assert refused(written(tmp_path, "#" * (MAX_YAML + 1))).slug == "file-too-large"
    if os.path.exists("/dev/zero"):
        assert refused(Path("/dev/zero")).slug == "file-unreadable"


# --- YAML ------------------------------------------------------------------------------------


def test_every_part_knows_its_line(tmp_path: Path) -> None:
    path = written(
        tmp_path, "# a comment\nstore: reference\nmodes:\n  - keyword\n\n  - hybrid\nfail_open: {within: 1}\n"
    )
    lined = read_yaml(path, "settings", "settings")
    assert lined.lines == {
        (): 2,
        ("store",): 2,
        ("modes",): 3,
        ("modes", 0): 4,
        ("modes", 1): 6,
        ("fail_open",): 7,
        ("fail_open", "within"): 7,
    }
    assert lined.where("modes", 1) == f"{path}:6"
    assert lined.where("modes", 7, "x") == f"{path}:3"
    assert lined.line("nothing") == 2


def test_data_without_lines_is_placed_by_its_file_alone() -> None:
    lined = LinedData(Path("verdict.json"), {}, {})
    assert lined.where("checks", 3) == "verdict.json"
    assert lined.line("checks", 3) == 0


def test_an_empty_file_is_an_empty_mapping(tmp_path: Path) -> None:
    for content in ("", "\n\n", "# nothing\n", "---\n"):
        assert read_yaml(written(tmp_path, content), "settings", "settings").data in ({}, None)


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("off", "off"),
        ("yes", "yes"),
        ("No", "No"),
        ("y", "y"),
        ("true", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("010", 10),
        ("0x10", "0x10"),
        ("0o7", "0o7"),
        ("1_000", "1_000"),
        ("12:30:45", "12:30:45"),
        ("2027-03-31", "2027-03-31"),
        ("2027-03-31T10:00:00Z", "2027-03-31T10:00:00Z"),
        ("-3", -3),
        ("+3", 3),
        ("0.90", 0.9),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("1e", "1e"),
        ("'10'", "10"),
        ("!!str 10", "10"),
        ("!!float 1", 1.0),
        ("1.0.0", "1.0.0"),
        ("=", "="),
        ("<<", "<<"),
    ],
)
def test_scalars_are_those_of_the_core_schema_of_yaml_1_2(tmp_path: Path, scalar: str, value: object) -> None:
    seen: list[object] = []

    def look(lined: LinedData) -> Iterable[Problem]:
        seen.append(lined.data["x"])
        return ()

    with pytest.raises(UsageError, match="unknown key 'x'"):
        read_yaml(written(tmp_path, f"x: {scalar}\n"), "settings", "settings", look)
    assert seen == [value]
    assert type(seen[0]) is type(value)


def test_problems_of_the_check_stand_among_the_others_by_line(tmp_path: Path) -> None:
    path = written(tmp_path, "dept: 1\nstore: mine\nstor: 1\n")

    def check(lined: LinedData) -> Iterable[Problem]:
        assert lined.broken == {("dept",), ("stor",)}
        yield Problem("elsewhere", "other.yml:1")
        yield Problem("not mine", lined.where("store"))

    with pytest.raises(UsageError) as caught:
        read_yaml(path, "settings", "settings", check)
    assert [problem.what for problem in caught.value.problems] == [
        "unknown key 'dept'",
        "not mine",
        "unknown key 'stor'",
        "elsewhere",
    ]


def test_a_part_is_sound_unless_it_or_what_holds_it_or_what_it_holds_is_broken() -> None:
    data = {"a": [{"b": 1, "c": 2}, {"b": 3}], "d": 4}
    lined = LinedData(Path("x"), data, {}, frozenset({("a", 0, "b")}))
    assert not lined.sound("a")
    assert not lined.sound("a", 0)
    assert not lined.sound("a", 0, "b")
    assert lined.sound("a", 0, "c")
    assert lined.sound("a", 1)
    assert lined.sound("d")
    assert not lined.sound("e")
    assert not lined.sound("a", 2)
    assert not lined.sound("d", 0)
    assert not LinedData(Path("x"), data, {}, frozenset({()})).sound("d")


def test_the_line_of_a_syntax_error_is_said_with_a_hint_for_tabs(tmp_path: Path) -> None:
    error = refused(written(tmp_path, "store: a\nfail_open:\n\twithin: 1\n"))
    assert error.where.endswith(":3")
    assert error.hint == "Indent with spaces: YAML allows no tabs there."


def test_quoting_is_advised_for_globs_that_yaml_takes_for_aliases(tmp_path: Path) -> None:
    error = refused(written(tmp_path, "slices: [*zh]\n"))
    assert error.hint == "Write the values out, or put a text that starts with * or & in quotes."


@pytest.mark.parametrize("width", [2, 10, 100])
def test_aliases_that_multiply_are_refused_before_anything_grows(tmp_path: Path, width: int) -> None:
    rows = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * width)}]\n" for i in range(1, 30))
    assert "aliases make more than" in refused(written(tmp_path, f"a0: &a0 [x]\n{rows}")).what


def test_one_problem_is_told_once_where_a_number_is_neither_finite_nor_whole(tmp_path: Path) -> None:
    assert len(refused(written(tmp_path, "depth: .nan\n")).problems) == 1


def test_several_missing_keys_are_each_named_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read_yaml(written(tmp_path, "schema: 1\nwaivers:\n  - {}\n"), "budgets", "budgets")
    assert [problem.what for problem in caught.value.problems] == [
        "'waivers.0': 'cell' is missing",
        "'waivers.0': 'until' is missing",
        "'waivers.0': 'reason' is missing",
    ]


def test_keys_and_values_of_any_length_are_cut(tmp_path: Path) -> None:
    said = str(refused(written(tmp_path, f"{'k' * 5000}: 1\ndepth: {'v' * 5000}\nstore: [{'7, ' * 3000}]\n")))
    assert max(map(len, said.splitlines())) < 300


def test_violations_of_data_without_a_file_are_in_words() -> None:
    lined = LinedData(Path("gate.yml"), {"depth": 0, "modes": ["x"]}, {})
    assert [problem.what for problem in violations(lined, "settings")] == [
        "'depth': 0 is less than the minimum of 1",
        "'modes.0' cannot be \"x\"",
    ]


# --- words -----------------------------------------------------------------------------------


def test_the_nearest_known_word_is_named_whatever_its_case() -> None:
    assert nearest("keywrod", ("keyword", "vector")) == "did you mean 'keyword'?"
    assert nearest("ndcg", ("nDCG", "AP")) == "did you mean 'nDCG'?"
    assert nearest("zzz", ("keyword", "vector")) == "known: keyword, vector"
    assert nearest("zzz", ()) == ""


def test_values_are_shown_as_json_and_cut() -> None:
    assert shown({"a": [1, "ü", None]}) == '{"a": [1, "ü", null]}'
    assert shown("x" * 100, 20) == '"' + "x" * 16 + "..."


# --- writing ---------------------------------------------------------------------------------


def test_equal_data_gives_equal_json_in_any_order() -> None:
    assert canonical_json({"b": 1, "a": "é"}) == canonical_json({"a": "é", "b": 1}) == '{"a":"é","b":1}'
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="JSON"):
            canonical_json({"a": number})


def test_a_file_is_written_whole_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "verdict.json"
    write_atomic(path, "one\n")
    write_atomic(path, "zwei ü\r\n")
    assert path.read_bytes() == "zwei ü\r\n".encode()
    assert path.stat().st_mode & 0o777 == 0o644
    assert [entry.name for entry in path.parent.iterdir()] == ["verdict.json"]


def test_the_old_file_stays_where_writing_the_new_one_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "verdict.json"
    write_atomic(path, "old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="cannot be written: No space left on device"):
        write_atomic(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["verdict.json"]


def test_nothing_is_left_behind_by_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(tmp_path / "verdict.json", "new")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "x.json", tmp_path / "folder"):
        with pytest.raises(UsageError) as caught:
            write_atomic(path, "{}")
        assert caught.value.slug == "file-unwritable"
        assert caught.value.where == str(path)
        assert caught.value.hint


def test_a_name_may_be_as_long_as_names_can_be(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 251 + ".run")
    write_atomic(path, "q Q0 d 1 1 tag\n")
    assert path.is_file()


@pytest.mark.parametrize("name", ["settings", "budgets", "recipe", "baseline", "verdict"])
def test_every_shipped_schema_is_one(name: str) -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(dict(files.schema_of(name)))
    json.dumps(files.schema_of(name))
