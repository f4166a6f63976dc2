import datetime as dt
from typing import List, Optional

try:
    from pydantic.v1 import BaseModel, Field, conint
except ImportError:
    from pydantic import BaseModel, Field, conint


class Line(BaseModel):
    sku: str = Field(..., min_length=2, regex="^[A-Z]+$", description="article")
    qty: conint(gt=0) = 1
    day: Optional[dt.date]


class Invoice(BaseModel):
    id: int = Field(..., alias="invoiceId")
    lines: List[Line] = []
    data: bytes = b""


class Names(BaseModel):
    __root__: List[str]


def invoice(i: Invoice, n: Names, q: conint(ge=2) = 3) -> Invoice:
    return [i, n, q, i.data == b"\xff"]
