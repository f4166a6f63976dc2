import functools
import math
import sqlite3

CONNECTION = sqlite3.connect(":memory:")
CONNECTION.execute("create table t as select 7 as a")
nothing = 3
root = math.sqrt
mapping = dict.fromkeys
uncalled = type("Uncalled", (), {"__call__": lambda self, x=1: x})()
double = functools.partial(lambda x, y: x * y, y=2)


class Tool:
    def __init__(self, fn):
        self.fn = fn


@Tool
def wrapped(x: int) -> int:
    "By another framework."
    return x + 1


class Shop:
    made = 0

    def __init__(self, name: str = "shop"):
        Shop.made += 1
        self.count = 0

    def visit(self, by: int = 1) -> list:
        """Counts a visit."""
        self.count += by
        return [self.count, Shop.made]

    @staticmethod
    def open(day: str) -> bool:
        return day != "sun"

    @classmethod
    def kind(cls) -> str:
        return cls.__name__


class Needy:
    def __init__(self, url):
        pass

    def go(self):
        pass


def decorated(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)

    return inner


@decorated
def plain_sum(a: int, b: int) -> int:
    return a + b


async def from_database():
    return CONNECTION.execute("select a from t").fetchone()[0]
