"""Functions of all kinds of annotations."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import uuid
from collections import defaultdict, deque
from decimal import Decimal
from pathlib import Path
from typing import (TYPE_CHECKING, Annotated, Any, Dict, Generic, Iterator, List, Literal, Mapping, NamedTuple, NewType,
                    Optional, Sequence, Set, Tuple, TypedDict, TypeVar, Union)

if TYPE_CHECKING:
    from nowhere import Absent, Context

Id = NewType("Id", int)
T = TypeVar("T")


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Odd(enum.Enum):
    PAIR = (1, 2)
    OTHER = "x"


class Size(enum.IntEnum):
    S = 1
    L = 3


@dataclasses.dataclass
class Item:
    """One line of an order.

    Attributes:
        sku: which article
    """

    sku: str
    count: int = 1
    tags: list[str] = dataclasses.field(default_factory=list)
    at: dt.date | None = None
    note: str = dataclasses.field(default="", metadata={"description": "free text"})


@dataclasses.dataclass
class Order:
    id: uuid.UUID
    items: List["Item"]
    colour: Colour = Colour.RED
    total: Decimal = Decimal("1.50")


@dataclasses.dataclass
class Node:
    name: str
    children: list[Node] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Box(Generic[T]):
    inside: T


class Movie(TypedDict, total=False):
    title: str
    year: int


class Point(NamedTuple):
    x: float
    y: float = 0.0


class Ge:
    def __init__(self, ge):
        self.ge = ge


def scalars(a: str, b: int, c: float, d: bool, e: None, f: bytes, g: dt.date, h: dt.time, i: dt.datetime, j: Decimal,
            k: uuid.UUID, l: Path, m: Any, n: object, o: Id, p):
    return [type(x).__name__ for x in (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)]


def lists(a: list, b: List[int], c: Sequence[dt.date], d: tuple[int, ...], e: Tuple[float, float], f: Set[str],
          g: tuple[int, str], h: Iterator[int], i: frozenset[int], j: deque[int]):
    return [a, b, c, d, e, f, g, list(h), i, j], [type(x).__name__ for x in (a, b, c, d, e, f, g, i, j)]


def maps(a: dict, b: Dict[str, int], c: Mapping[int, dt.date], d: defaultdict[str, list[int]]):
    return [a, b, c, d]


def choices(a: Literal["x", "y", 3], b: Colour, c: Size, d: Odd, e: Optional[Literal["p"]] = None):
    return [a, b, c, d, e], [type(x).__name__ for x in (a, b, c, d, e)]


def unions(a: int | None, b: Union[int, float], c: int | str, d: Optional[dt.date] = None, e: int = None,
           f: "Absent" = None, g: str | list[str] | None = None):
    return [a, b, c, d, e, f, g]


def records(item: Item, order: Order, movie: Movie, point: Point, node: Node, box: Box[dt.date]):
    return {"item": item, "order": order, "movie": movie, "point": point, "node": node, "box": box}


def annotated(a: Annotated[int, "how many", Ge(3)], b: Annotated[Optional[str], "maybe"] = None):
    return [a, b]


def shapes(a, /, b, *args, c, d=5, **rest):
    return [a, b, c, d]


def left(a=1, b=2, /, c=3):
    return [a, b, c]


def with_context(x: int, hidden: Context) -> str:
    hidden.report_progress(1, 3, "one")
    hidden.report_progress(2.5)
    hidden.info("said")
    hidden.log("error", "bad")
    return type(hidden).__name__


def defaults(a=float("nan"), b=dt.date(2025, 1, 2), c=Colour.BLUE, d=object(), e=(1, 2), f: int = 2**60):
    return [c.value]


def returning() -> dict[str, list[Order]]:
    return {}


def gives() -> Iterator[int]:
    yield from range(3)
