from __future__ import annotations

import dataclasses
from typing import TypedDict

try:
    from typing import NotRequired, Required
except ImportError:
    NotRequired = Required = None

from kinds import Item


class Given(TypedDict):
    a: int


class More(Given, total=False):
    b: Required[str]
    c: "int | None"


class Less(Given):
    d: NotRequired[str]


@dataclasses.dataclass
class Longer(Item):
    extra: dataclasses.InitVar[int] = 3
    made: int = dataclasses.field(default=0, init=False)

    def __post_init__(self, extra):
        self.made = extra * 2


def typed(m: More, l: Less) -> More:
    return m


def longer(x: Longer):
    return x
