"""Running sums over an append-only list of counts: what finds a row among a million in a few steps."""

from __future__ import annotations

from array import array


class BlockSums:
    """A Fenwick tree that grows at its end; every operation is O(log n)."""

    def __init__(self) -> None:
        """Start empty."""
        self._tree = array("q", [0])
        self.total = 0

    def __len__(self) -> int:
        """Return how many blocks there are."""
        return len(self._tree) - 1

    def append(self, count: int) -> None:
        """Add a block of ``count`` at the end."""
        index = len(self._tree)
        covered = index & -index
        self._tree.append(self.before(index - 1) - self.before(index - covered))
        self.add(index - 1, count)

    def add(self, block: int, change: int) -> None:
        """Change the count of ``block`` (from 0) by ``change``."""
        self.total += change
        index = block + 1
        while index < len(self._tree):
            self._tree[index] += change
            index += index & -index

    def before(self, block: int) -> int:
        """Return the sum of all blocks below ``block``."""
        found, index = 0, block
        while index > 0:
            found += self._tree[index]
            index -= index & -index
        return found

    def find(self, position: int) -> tuple[int, int]:
        """Return the block that holds ``position`` (from 0, below ``total``) and the offset in it."""
        index, rest = 0, position
        step = 1 << (len(self._tree) - 1).bit_length()
        while step:
            ahead = index + step
            if ahead < len(self._tree) and self._tree[ahead] <= rest:
                index = ahead
                rest -= self._tree[ahead]
            step >>= 1
        return index, rest
