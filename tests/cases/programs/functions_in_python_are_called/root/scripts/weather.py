"""Functions of a file."""

import asyncio
import datetime
import decimal
import logging
import os
import sys


class CityNotFound(Exception):
    pass


def forecast(city: str, since: datetime.date, days: int = 2, tags: list[str] | None = None):
    """Rows, made of typed arguments."""
    print("a print goes elsewhere")
    if city == "nowhere":
        raise CityNotFound("there is no city `%s`" % city)
    if city == "secret":
        raise RuntimeError("a secret of the server")
    if city == "exit":
        sys.exit(3)
    if city == "die":
        os._exit(4)
    logging.getLogger("weather").warning("forecast of %s", city)
    for at in range(days):
        yield {"day": since + datetime.timedelta(days=at), "city": city, "degrees": decimal.Decimal("1.10") * at, "tags": tags}


async def slow(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return "slept"


def scalar(number: int) -> int:
    return number * 2


def wrong() -> object:
    return {"rows": [{"day": object()}]}


def several(first, *, second="b"):
    return {"first": first, "second": second}
