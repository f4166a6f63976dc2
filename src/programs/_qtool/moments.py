"""Dates, times, timestamps and time spans from their text in ISO 8601, in every Python alike."""

import datetime
import re

_CLOCK = r"(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?"
_TIME = re.compile(_CLOCK, re.A)
_TIMESTAMP = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T t]" + _CLOCK + ")?", re.A)
_SPAN = re.compile(
    r"([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d{1,9}))?S)?)?", re.A | re.I
)


def date(text):
    """A date; a timestamp at midnight is one too. ValueError for other text."""
    moment = timestamp(text)
    if moment.time() != datetime.time():
        raise ValueError(text)
    return moment.date()


def timestamp(text):
    """A date and time, with an offset where one is written. What is finer than a microsecond is cut off."""
    match = _TIMESTAMP.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    year, month, day = (int(part) for part in match.groups()[:3])
    clock = _clock(match.groups()[3:]) if match.group(4) else datetime.time()
    return datetime.datetime.combine(datetime.date(year, month, day), clock)


def time(text):
    """A time of day, with an offset where one is written."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    return _clock(match.groups())


def span(text):
    """A time span without months and years, which are of no fixed length."""
    match = _SPAN.fullmatch(text.strip())
    if match is None or not any(match.groups()[1:]):
        raise ValueError(text)
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups()[1:6])
    made = datetime.timedelta(
        weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds, microseconds=_micros(match.group(7))
    )
    return -made if match.group(1) == "-" else made


def _clock(parts):
    hour, minute, second, fraction, offset = parts
    return datetime.time(int(hour), int(minute), int(second or 0), _micros(fraction), tzinfo=_zone(offset))


def _micros(fraction):
    return int((fraction or "0").ljust(6, "0")[:6])


def _zone(offset):
    if offset is None:
        return None
    if offset in "Zz":
        return datetime.timezone.utc
    digits = offset[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return datetime.timezone(datetime.timedelta(minutes=-minutes if offset[0] == "-" else minutes))
