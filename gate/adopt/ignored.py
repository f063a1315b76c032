"""`.gitignore`: results are made anew by every run, and are nobody's to commit."""

from __future__ import annotations

from gate.adopt.files import EXTENDED, LEFT, SKIPPED, UNCHANGED, WRITTEN, Outcome
from gate.adopt.place import Place, ignores

FILE = ".gitignore"


def ignore(place: Place, folder: str) -> Outcome:
    """What becomes of `.gitignore`, so that git ignores the results in `folder`."""
    path, line = place.folder / FILE, f"{folder}/"
    if place.root is None:
        return Outcome(path, SKIPPED, place.no_git)
    if ignores(place, f"{folder}/verdict.json"):
        return Outcome(path, UNCHANGED, f"git ignores {line} already")
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return Outcome(path, LEFT, "it is no plain file; add this to it", lines=f"{line}\n")
    if not path.exists():
        return Outcome(path, WRITTEN, text=f"{line}\n")
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return Outcome(path, LEFT, "it cannot be read as UTF-8; add this to it", lines=f"{line}\n")
    ends = "\r\n" if "\r\n" in text else "\n"
    joint = ends if text and not text.endswith("\n") else ""
    return Outcome(path, EXTENDED, f"with {line}", text=f"{text}{joint}{line}{ends}")
