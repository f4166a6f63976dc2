import pandas
import polars
import numpy


def frame() -> pandas.DataFrame:
    return pandas.DataFrame({"a": [1, 2], "b": [1.5, None], "c": pandas.to_datetime(["2025-01-01", None]), 5: ["x", None]})


def indexed():
    return frame()[["a", "b"]].groupby("a").sum()


def infinite():
    return pandas.DataFrame({"a": [float("inf")]})


def doubled():
    return pandas.DataFrame([[1, 2]], columns=["a", "a"])


def lazy() -> polars.LazyFrame:
    return polars.LazyFrame({"a": [1, None], "b": [[1], [2, 3]]})


def numbers():
    return [numpy.int64(3), numpy.float32(0.5), numpy.array([[1, 2], [3, 4]]), numpy.bool_(True), pandas.Series([1.0, None])]
