import datetime as dt
from typing import Annotated, List, Optional

from pydantic import AfterValidator, AliasChoices, BaseModel, Field, HttpUrl, PositiveInt, RootModel, StringConstraints
from pydantic.dataclasses import dataclass


class Line(BaseModel):
    sku: str = Field(min_length=2, max_length=8, pattern="^[A-Z]+$", description="article")
    qty: PositiveInt = 1
    day: Optional[dt.date] = None


class Invoice(BaseModel):
    id: int = Field(alias="invoiceId")
    lines: List[Line] = Field(default_factory=list, max_length=3)
    other: str = Field("x", validation_alias=AliasChoices("Other", "other"))
    when: dt.datetime = Field(default_factory=dt.datetime.now)
    parent: Optional["Invoice"] = None


class Blob(BaseModel):
    data: bytes
    note: str = ""


class Names(RootModel):
    root: List[str]


@dataclass
class Checked:
    x: int = Field(ge=2)


def even(x: int) -> int:
    if x % 2:
        raise ValueError("has to be even")
    return x


def invoice(i: Invoice, note: Annotated[str, Field(max_length=5, description="short")] = "n") -> Invoice:
    return i


def fields(a: int = Field(5, ge=1, lt=10, multiple_of=5, description="five"), b: int = Field(..., gt=0),
           c: Annotated[list, Field(default_factory=list, min_length=1)] = None,
           d: Annotated[str, StringConstraints(pattern="^a")] = "a"):
    return [a, b, c, d]


def more(url: HttpUrl, blob: Blob, names: Names, c: Checked, e: Annotated[int, AfterValidator(even)]):
    return [url, blob, names, c, e], blob.data == b"\xff"
