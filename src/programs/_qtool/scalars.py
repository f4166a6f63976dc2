"""From JSON to single values: text, numbers, dates and the like."""

import base64
import binascii
import datetime
import decimal
import json
import re
import uuid

from _qtool import moments


class Wrong(Exception):
    """An argument that does not fit; `path` from the inside out."""

    def __init__(self, message, path=()):
        super().__init__(message)
        self.message, self.path = message, list(path)

    def text(self):
        parts = [str(step) if not isinstance(step, int) else "[%d]" % step for step in reversed(self.path)]
        place = "".join(part if part.startswith("[") or not at else "." + part for at, part in enumerate(parts))
        return "`%s`: %s" % (place, self.message) if place else self.message


def wrong(wanted, value):
    text = json.dumps(value, ensure_ascii=False)
    return Wrong("expected %s, got %s" % (wanted, text if len(text) <= 60 else text[:57] + "…"))


def scalar(wanted, source, make):
    def convert(value):
        if not isinstance(value, source) or isinstance(value, bool):
            raise wrong(wanted, value)
        try:
            return make(value)
        except (ValueError, ArithmeticError, binascii.Error) as error:
            raise wrong(wanted, value) from error

    return convert


def _text(value):
    if type(value) is str:
        return value
    raise wrong("text", value)


def _integer(value):
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        return int(value)
    if type(value) is str and re.fullmatch(r"[+-]?[0-9]{1,4000}", value):
        return int(value)
    raise wrong("a whole number", value)


def _number(value):
    if type(value) is float:
        return value
    try:
        if type(value) in (int, str):
            return float(value)
    except (ValueError, OverflowError):
        pass
    raise wrong("a number", value)


def _boolean(value):
    if type(value) is bool:
        return value
    if value in ("true", "false") and type(value) is str:
        return value == "true"
    raise wrong("true or false", value)


def _none(value):
    if value is None:
        return None
    raise wrong("null", value)


def _exact(value):
    made = decimal.Decimal(repr(value) if isinstance(value, float) else value)
    if not made.is_finite():
        raise ValueError(value)
    return made


def _base64(text):
    return base64.b64decode(text, validate=True)


def _span(value):
    return moments.span(value) if isinstance(value, str) else datetime.timedelta(seconds=value)


SCALARS = {
    str: _text,
    int: _integer,
    float: _number,
    bool: _boolean,
    type(None): _none,
    decimal.Decimal: scalar("a decimal number", (str, int, float), _exact),
    datetime.date: scalar("a date such as 2025-01-31", str, moments.date),
    datetime.datetime: scalar("a timestamp such as 2025-01-31T12:30:00", str, moments.timestamp),
    datetime.time: scalar("a time such as 12:30:00", str, moments.time),
    datetime.timedelta: scalar("a time span such as PT90S, or seconds", (str, int, float), _span),
    uuid.UUID: scalar("a UUID", str, uuid.UUID),
    bytes: scalar("bytes in Base64", str, _base64),
    bytearray: scalar("bytes in Base64", str, lambda text: bytearray(_base64(text))),
    memoryview: scalar("bytes in Base64", str, lambda text: memoryview(_base64(text))),
}
