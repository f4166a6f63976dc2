"""Functions that say themselves what they take."""

import datetime
import decimal
import enum
import functools
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Optional


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Day:
    day: datetime.date
    degrees: float
    note: Optional[str] = None


def untyped(first, second=2, *rest, third="c", **others):
    """What `untyped` says.

    More of it.
    """
    return {"first": first, "second": second, "rest": rest, "third": third, "others": others}


def typed(number: int, word: str, when: datetime.date, price: decimal.Decimal, flag: bool = False, ratio: float = 0.5, tags: tuple[str, ...] = ("a",), one: Optional[uuid.UUID] = None):
    """What `typed` says.

    More of it.
    """
    return {name: [type(value).__name__, value] for name, value in sorted(locals().items())}


def chosen(unit: Literal["metric", "imperial"] = "metric", color: Color = Color.RED, level: Literal[1, 2] = 1):
    """What `chosen` says.

    More of it.
    """
    return {"unit": unit, "color": repr(color), "level": level}


def optional(other: Optional[int] = None, third: Optional[int] = 3):
    """What `optional` says.

    More of it.
    """
    return [other, third]


def rows(most: int = 2) -> Iterator[Day]:
    """What `rows` says.

    More of it.
    """
    for at in range(most):
        yield Day(datetime.date(2024, 2, 28) + datetime.timedelta(days=at), 1.5, None)


def positional(first: int, /, second: int, *, third: int):
    """What `positional` says.

    More of it.
    """
    return [first, second, third]


def logged(function):
    @functools.wraps(function)
    def wrapper(*all, **named):
        return {"wrapped": function(*all, **named)}

    return wrapper


@logged
def wrapped(number: int) -> dict:
    """A function in another."""
    return {"number": number}


class Shop:
    """A shop."""

    def __init__(self):
        self.name = "shop"

    def method(self, number: int) -> str:
        """A method."""
        return f"{self.name} {number}"


twice = lambda number: number * 2
