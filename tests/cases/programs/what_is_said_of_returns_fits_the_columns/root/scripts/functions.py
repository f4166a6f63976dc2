"""Functions that say what they return, and may return something else."""

import datetime
import decimal
from dataclasses import dataclass
from typing import Optional


@dataclass
class Day:
    day: datetime.date
    degrees: float


RETURNED = {
    "seven": 7,
    "text": "seven",
    "digits": "7",
    "true": True,
    "none": None,
    "large": 2**63,
    "dict": {},
    "list": [],
    "items": [7],
    "record": {"result": 7},
    "records": [{"result": 7}, {"result": 8}],
}


def count(what: str) -> int:
    """A number."""
    return RETURNED[what]


def maybe(what: str) -> Optional[int]:
    """A number, or none."""
    return RETURNED[what]


def when(days: int) -> datetime.date:
    """A day."""
    return datetime.date(2024, 2, 28) + datetime.timedelta(days=days)


def price(whole: int) -> decimal.Decimal:
    """A price."""
    return decimal.Decimal(whole) / 4


def found(day: bool) -> Optional[Day]:
    """A day, or none."""
    return Day(datetime.date(2024, 2, 29), 1.5) if day else None


def always(day: bool) -> Day:
    """A day."""
    return found(day)


def numbers(most: int) -> list[int]:
    """Numbers."""
    return list(range(most))


def settings(empty: bool) -> dict:
    """Settings."""
    return {} if empty else {"a": 1}
