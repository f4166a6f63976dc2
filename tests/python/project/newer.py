from dataclasses import dataclass

type Names = list[str]
type Pair[T] = tuple[T, T]


@dataclass(kw_only=True, slots=True)
class Page[T]:
    rows: list[T]
    next: str | None = None


def f[K: int](names: Names, pair: Pair[int], page: Page[Page[int]], k: K, old: "Page[str] | None" = None) -> Page[int]:
    return page


@dataclass
class Tree[T]:
    value: T
    below: list["Tree[T]"]
    odd: "Tree[list[T]] | None" = None


def tree(t: Tree[int]) -> Tree[int]:
    return t
