"""Which commit is the base: the one that a flag names, else the one that the event of a CI run tells."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gate.base.event import Event, Found, base_of, read_event
from gate.base.repository import NoBase, Repository
from gate.errors import UsageError
from gate.plan import Request
from gate.settings import FILE_NAME, shipped_settings

NONE = "none"


def settings_path(request: Request) -> Path:
    """Where the head's settings stand, or would stand: those that ship with the gate are nobody's own."""
    path = request.settings.path
    return Path.cwd() / FILE_NAME if path is None or shipped_settings(path) else path.absolute()


def event_of(request: Request, settings: Path, environment: Mapping[str, str]) -> Event | None:
    """The event of this run; None where there is none, or where it speaks of another folder than the settings'.

    Raises NoBase for an event that cannot be read, unless a flag says all that it could say.
    """
    workspace = environment.get("GITHUB_WORKSPACE", "")
    if workspace and not settings.parent.resolve().is_relative_to(Path(workspace).resolve()):
        return None
    try:
        return read_event(environment)
    except NoBase:
        if request.base:
            return None
        raise


def find_base(ref: str, event: Event | None, settings: Path) -> tuple[Repository, Found | None]:
    """The repository of the settings, and the base in it, None where nothing was before.

    Raises UsageError where `ref` names no commit, NoBase where the event's cannot be found.
    """
    if not ref:
        assert event is not None
        repository = Repository(settings.parent)
        return repository, base_of(event, repository)
    try:
        repository = Repository(settings.parent)
        commit, shallow = repository.commit(ref), repository.shallow
    except NoBase as error:
        said = f"--base {ref}: {error.what}"
        raise UsageError(error.slug, said, where=error.where, hint=error.hint) from None
    if commit is None:
        raise UsageError(
            "base-unknown",
            f"--base {ref}: there is no such commit in this {'shallow ' * shallow}repository",
            where=str(repository.root),
            hint="Name a commit, branch or tag that was fetched"
            + (", or check out with `fetch-depth: 0`." if shallow else "."),
        )
    return repository, Found(commit, ref)
