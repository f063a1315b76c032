"""Ids that carry no label: neither the number nor its order tells a judged document from a distractor."""

from __future__ import annotations

from hashlib import blake2b

_HALF = 1 << 31
_MASK = (1 << 32) - 1


def mixed(number: int) -> int:
    """A bijection of the 32-bit integers: the finaliser of MurmurHash3 (Austin Appleby, public domain, 2011)."""
    number ^= number >> 16
    number = (number * 0x85EBCA6B) & _MASK
    number ^= number >> 13
    number = (number * 0xC2B2AE35) & _MASK
    return number ^ (number >> 16)


class Identifiers:
    """One space of ids, such as `d3f09a71c`: a prefix and eight hexadecimal digits.

    Named things take numbers in the upper half by their name, and numbered things the lower
    half, before all are mixed: the two can never meet, and a name has the same id whatever else
    is in the corpus.
    """

    __slots__ = ("_prefix", "_seed", "_taken")

    def __init__(self, seed: int, prefix: str) -> None:
        self._prefix = prefix
        self._seed = mixed(seed & _MASK)
        self._taken: set[int] = set()

    def named(self, *name: str) -> str:
        """The id of something with a name. Each name may be asked for once; the second of two that collide moves on."""
        digest = blake2b("\x1f".join(name).encode(), digest_size=4).digest()
        number = int.from_bytes(digest, "big") % _HALF
        while number in self._taken:
            number = (number + 1) % _HALF
        self._taken.add(number)
        return self._shown(_HALF | number)

    def numbered(self, index: int) -> str:
        """The id of number `index`, below 2**31."""
        return self._shown(index)

    def _shown(self, number: int) -> str:
        return f"{self._prefix}{mixed(number ^ self._seed):08x}"


def session_identifier(seed: int, family: str, session: str) -> str:
    """An opaque name for a session of a family. Empty stays empty."""
    if not session:
        return ""
    return "s" + blake2b(f"{seed}\x1f{family}\x1f{session}".encode(), digest_size=6).hexdigest()
