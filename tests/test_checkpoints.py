"""What was answered is kept in blocks that are whole or not there, and believed only when all in them is right."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from gate import checkpoints
from gate.checkpoints import Asked, Checkpoint
from gate.records import RunKey, TopicResult

IDENTITY = {"corpus": "a1", "depth": "100", "store": "mystore:Words"}
OURS: dict[str, object] = {"format": "1", **IDENTITY}
HEALTHY = RunKey("words", "notes", "full", "cpu-hash", "keyword")
BROKEN = RunKey("words", "notes", "full", "cpu-hash", "vector", "embedder-raises")
FOUND = Asked(TopicResult(("d1", "文档"), 1, 0, False, frozenset({"embedder"}), 0.1 + 0.2), calls=3)
FAILED = Asked(None, "words, mode vector, topic t1: OSError: gone", hung=True, calls=1)


def opened(folder: Path, identity: Mapping[str, str] = IDENTITY, *, fresh: bool = False) -> Checkpoint:
    return Checkpoint(folder / "checkpoints" / "words", identity, fresh=fresh)


def written(folder: Path, identity: Mapping[str, str] = IDENTITY) -> Path:
    """A folder with one block: one answer in health, and one error under a fault. The block."""
    checkpoint = opened(folder, identity)
    checkpoint.add(HEALTHY, "t0", FOUND)
    checkpoint.add(BROKEN, "t1", FAILED)
    before = set(blocks(folder))
    checkpoint.write()
    (block,) = set(blocks(folder)) - before
    return block


def blocks(folder: Path) -> list[Path]:
    return sorted((folder / "checkpoints").rglob("*.json"))


def rewritten(block: Path, change: object) -> None:
    """The block with other data in it, under a checksum that is right."""
    body = json.dumps(change)
    block.write_text(f"{sha256(body.encode()).hexdigest()}\n{body}\n", encoding="utf-8")


def data_of(block: Path) -> dict[str, object]:
    data: dict[str, object] = json.loads(block.read_text(encoding="utf-8").split("\n", 1)[1])
    return data


def test_what_was_kept_is_recalled_as_it_was(tmp_path: Path) -> None:
    written(tmp_path)
    again = opened(tmp_path)
    assert (again.kept, again.errors, again.damaged, again.refused) == (2, 1, 0, "")
    assert again.recall(HEALTHY, "t0") == FOUND
    assert again.recall(BROKEN, "t1") == FAILED
    assert again.recall(HEALTHY, "t1") is None
    assert again.recall(BROKEN, "t0") is None
    assert again.resumed == 2


def test_nothing_is_on_disk_before_a_block_is_full(tmp_path: Path) -> None:
    checkpoint = opened(tmp_path)
    checkpoint.add(HEALTHY, "t0", FOUND)
    assert blocks(tmp_path) == []
    checkpoint.write()
    checkpoint.write()
    assert len(blocks(tmp_path)) == 1, "an empty block is not written"


def test_a_block_is_full_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(checkpoints, "now", lambda: clock[0])
    checkpoint = opened(tmp_path)
    for number, time in enumerate((1.0, 4.9, 5.0, 9.9, 10.1)):
        clock[0] = time
        checkpoint.add(HEALTHY, f"t{number}", FOUND)
        assert len(blocks(tmp_path)) == (0, 0, 1, 1, 2)[number]
    assert opened(tmp_path).kept == 5


def test_later_blocks_join_the_earlier_ones(tmp_path: Path) -> None:
    written(tmp_path)
    second = opened(tmp_path)
    second.add(HEALTHY, "t9", FOUND)
    second.write()
    assert len(blocks(tmp_path)) == 2
    assert opened(tmp_path).kept == 3


def test_a_block_torn_at_any_byte_is_never_believed(tmp_path: Path) -> None:
    block = written(tmp_path)
    whole = block.read_bytes()
    for end in range(len(whole)):
        block.write_bytes(whole[:end])
        torn = opened(tmp_path)
        assert (torn.kept, torn.damaged) == (0, 1), end
        assert not block.exists(), "it is out of the way"
    block.write_bytes(whole)
    assert opened(tmp_path).kept == 2


def test_a_block_with_any_byte_changed_is_never_believed(tmp_path: Path) -> None:
    block = written(tmp_path)
    whole = block.read_bytes()
    for at in range(len(whole)):
        block.write_bytes(whole[:at] + bytes([whole[at] ^ 0x20]) + whole[at + 1 :])
        changed = opened(tmp_path)
        assert (changed.kept, changed.damaged) == (0, 1), at


@pytest.mark.parametrize(
    "strange",
    [
        [],
        "text",
        {"identity": []},
        {"asked": []},
        {"identity": OURS},
        {"identity": OURS, "asked": {}},
        {"identity": OURS, "asked": [["keyword", "none", "t0"]]},
        {"identity": OURS, "asked": [["keyword", "none", 7, {}]]},
        {"identity": OURS, "asked": [["keyword", "none", "t0", {}]]},
        {"identity": OURS, "asked": [["keyword", "none", "t0", None]]},
        {"identity": {**OURS, "depth": "50"}, "asked": []},
    ],
)
def test_a_foreign_file_with_a_right_checksum_is_not_believed(tmp_path: Path, strange: object) -> None:
    block = written(tmp_path)
    rewritten(block, strange)
    again = opened(tmp_path)
    assert (again.kept, again.damaged) == (0, 1)


def test_a_value_of_a_wrong_type_voids_its_block_and_no_other(tmp_path: Path) -> None:
    first = written(tmp_path)
    second = opened(tmp_path)
    second.add(HEALTHY, "t9", FOUND)
    second.write()
    data = json.loads(json.dumps(data_of(first)))
    data["asked"][0][3]["result"]["milliseconds"] = "soon"
    rewritten(first, data)
    again = opened(tmp_path)
    assert (again.kept, again.damaged) == (1, 1)
    assert again.recall(HEALTHY, "t9") == FOUND


def test_deep_nesting_is_no_traceback(tmp_path: Path) -> None:
    block = written(tmp_path)
    body = "[" * 200_000
    block.write_text(f"{sha256(body.encode()).hexdigest()}\n{body}\n", encoding="utf-8")
    assert opened(tmp_path).damaged == 1


def test_a_folder_in_the_place_of_a_block_is_no_traceback(tmp_path: Path) -> None:
    block = written(tmp_path)
    block.unlink()
    block.mkdir()
    assert opened(tmp_path).damaged == 1


@pytest.mark.parametrize(
    ("identity", "says"),
    [
        (IDENTITY | {"depth": "50"}, "depth was 100, is 50"),
        (IDENTITY | {"corpus": "b2", "depth": "50"}, "corpus was a1, is b2"),
        (IDENTITY | {"more": "x"}, "more was not given, is x"),
        ({"corpus": "a1", "depth": "100"}, "store was mystore:Words, is not given"),
        (IDENTITY | {"store": ""}, 'store was mystore:Words, is ""'),
    ],
)
def test_another_identity_is_refused_by_name(tmp_path: Path, identity: dict[str, str], says: str) -> None:
    written(tmp_path)
    other = opened(tmp_path, identity)
    assert other.refused == says
    assert (other.kept, other.damaged) == (0, 0)
    assert other.recall(HEALTHY, "t0") is None


def test_a_refused_checkpoint_is_there_for_whoever_goes_back(tmp_path: Path) -> None:
    written(tmp_path)
    written(tmp_path, IDENTITY | {"depth": "50"})
    back = opened(tmp_path)
    assert (back.kept, back.refused) == (2, "")


def test_the_last_of_several_others_is_the_one_that_is_named(tmp_path: Path) -> None:
    for age, depth in enumerate(("10", "30", "20")):
        os.utime(written(tmp_path, IDENTITY | {"depth": depth}), ns=(age, age))
    assert opened(tmp_path).refused == "depth was 20, is 100"


def test_a_long_value_is_cut_where_it_is_named(tmp_path: Path) -> None:
    written(tmp_path, IDENTITY | {"depth": "x" * 1000})
    assert len(opened(tmp_path).refused) < 200


def test_a_fresh_run_removes_every_block(tmp_path: Path) -> None:
    written(tmp_path)
    written(tmp_path, IDENTITY | {"depth": "50"})
    fresh = opened(tmp_path, fresh=True)
    assert (fresh.kept, fresh.refused) == (0, "")
    assert blocks(tmp_path) == []


def test_what_a_killed_write_left_is_removed(tmp_path: Path) -> None:
    left = written(tmp_path).parent / ".gate-abc.tmp"
    left.write_text("half a blo")
    assert opened(tmp_path).kept == 2
    assert not left.exists()


def test_a_block_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").write_text("a file where the folder should be")
    checkpoint = opened(tmp_path)
    checkpoint.add(HEALTHY, "t0", FOUND)
    checkpoint.write()
    assert "cannot be written" in checkpoint.failure
    checkpoint.add(HEALTHY, "t1", FOUND)
    checkpoint.write()
    checkpoint.finish(whole=True, limited=False)
    assert checkpoint.kept == 0
    assert (tmp_path / "checkpoints").read_text() == "a file where the folder should be"


def test_a_link_leads_nobody_out_of_the_folder(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "block-x-1.json").write_text("theirs")
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "words").symlink_to(theirs)
    written(tmp_path)
    assert [path.name for path in theirs.iterdir()] == ["block-x-1.json"]
    assert opened(tmp_path).kept == 2


# --- the end of a run --------------------------------------------------------------------------


def test_after_a_whole_run_nothing_is_left(tmp_path: Path) -> None:
    written(tmp_path, IDENTITY | {"depth": "50"})
    written(tmp_path)
    opened(tmp_path).finish(whole=True, limited=False)
    assert not (tmp_path / "checkpoints").exists()


def test_after_a_narrowed_run_what_others_left_stays(tmp_path: Path) -> None:
    written(tmp_path, IDENTITY | {"depth": "50"})
    written(tmp_path)
    opened(tmp_path).finish(whole=False, limited=False)
    assert opened(tmp_path).kept == 0
    assert opened(tmp_path, IDENTITY | {"depth": "50"}).kept == 2


def test_after_a_limited_run_blocks_stay_in_which_nothing_failed(tmp_path: Path) -> None:
    written(tmp_path)
    checkpoint = opened(tmp_path)
    checkpoint.add(HEALTHY, "t9", FOUND)
    checkpoint.write()
    checkpoint.finish(whole=False, limited=True)
    again = opened(tmp_path)
    assert (again.kept, again.errors) == (1, 0)
    assert again.recall(HEALTHY, "t9") == FOUND


def test_a_person_s_file_beside_the_blocks_stays(tmp_path: Path) -> None:
    notes = written(tmp_path).parent / "notes.txt"
    notes.write_text("mine")
    opened(tmp_path, fresh=True).finish(whole=True, limited=False)
    assert notes.read_text() == "mine"
