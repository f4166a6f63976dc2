"""What functions do besides returning."""

import asyncio
import ctypes
import datetime as dt
import enum
import logging
import os
import sys
import threading
import time
import uuid
from dataclasses import dataclass
from decimal import Decimal

from qtool import Context


def echo(x):
    return x


def nothing():
    pass


def boom():
    return inner()


def inner():
    raise ValueError("inner secret")


class Mute(Exception):
    def __str__(self):
        raise RuntimeError


def mute():
    raise Mute()


def leave():
    sys.exit(4)


def interrupt():
    raise KeyboardInterrupt


class Strange(BaseException):
    pass


def strange():
    raise Strange("odd")


def recurse(n=0):
    return recurse(n + 1)


def deep():
    made = []
    for _ in range(5000):
        made = [made]
    return made


def ring():
    made = {}
    made["a"] = [made]
    return made


def prints():
    print("to stdout")
    sys.__stdout__.write("to the first stdout\n")
    os.write(1, b"to fd 1\n")
    os.system("echo from a child")
    ctypes.CDLL(None).puts(b"from C")
    try:
        return input()
    except EOFError:
        return "no input"


def results(which):
    return {
        "nan": lambda: {"rows": [{"price": 1.5}, {"price": float("nan")}]},
        "inf": lambda: float("-inf"),
        "big": lambda: 2**70,
        "huge": lambda: 10**5000,
        "object": lambda: {"a b": [object()]},
        "coroutine": lambda: [slow(0)],
        "keys": lambda: {1: "a", None: "b", True: "c", 2.5: "d", dt.date(2025, 1, 2): "e"},
        "twice": lambda: {1: 1, "1": 2},
        "tuple key": lambda: {(1, 2): 1},
        "set": lambda: {"b", "a", "c"},
        "bytes": lambda: b"\x00\xff",
        "moments": lambda: [dt.date(2025, 1, 2), dt.time(1, 2, 3), dt.datetime(2025, 1, 2, 3, 4, 5, 600),
                            dt.datetime(2025, 1, 2, tzinfo=dt.timezone.utc), dt.timedelta(days=1, seconds=90)],
        "exact": lambda: [Decimal("1.50"), Decimal("1E+3"), uuid.UUID(int=5)],
        "decimal nan": lambda: Decimal("nan"),
        "generator": lambda: (i * i for i in range(4)),
        "views": lambda: [{"b": 1, "a": 2}.keys(), {"x": 1}.values(), range(2), map(str, [1])],
        "surrogate": lambda: ["ok", {"x": "\ud800"}],
        "failing generator": lambda: (1 // i for i in (1, 0)),
        "flag": lambda: [enum.IntEnum("E", "A B").B],
    }[which]()


async def slow(seconds: float, fail: bool = False) -> str:
    await asyncio.sleep(seconds)
    if fail:
        raise LookupError("late")
    return "slept"


async def stubborn():
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        return "would not go"


async def counts():
    for i in range(3):
        await asyncio.sleep(0)
        yield i


async def leaves_in_task():
    async def go():
        sys.exit(1)

    task = asyncio.ensure_future(go())
    await asyncio.sleep(0.05)
    return task.done()


async def reports(context: Context):
    await context.report_progress(1, total=2)
    await context.info("awaited")
    await asyncio.sleep(0)
    logging.getLogger("mine").warning("from the %s", "log")
    return "done"


def runs_a_loop():
    return asyncio.run(slow(0))


def hands_over():
    return slow(0)


def sleeps(seconds: float):
    time.sleep(seconds)
    return seconds


def logs():
    logging.getLogger("a.b").info("plain")
    logging.getLogger("a.b").debug("unseen")
    thread = threading.Thread(target=lambda: logging.warning("from a thread"))
    thread.start()
    thread.join()
    try:
        1 / 0
    except ZeroDivisionError:
        logging.exception("failed")


def leaves_a_thread():
    threading.Thread(target=time.sleep, args=(60,)).start()
    return "started"


@dataclass
class Range:
    low: int
    high: int

    def __post_init__(self):
        if self.low > self.high:
            raise ValueError("low is above high")


def checked(r: Range) -> Range:
    return r
