"""What a call costs besides the function: run by hand, `python3 measure.py`."""

import statistics
import sys
import time

import programs
from test_introspect import PROJECT


def cost(worker, target, arguments, count):
    times = []
    for _ in range(count):
        begun = time.perf_counter()
        worker.call(target, [PROJECT], arguments)
        times.append((time.perf_counter() - begun) * 1000)
    return "median %.3f ms, 99 of 100 below %.3f ms" % (statistics.median(times), sorted(times)[len(times) * 99 // 100])


def main():
    begun = time.perf_counter()
    worker = programs.Worker()
    print(sys.version.split()[0], "ready after %.0f ms" % ((time.perf_counter() - begun) * 1000))
    order = {"id": "00000000-0000-0000-0000-000000000005", "items": [{"sku": "b", "count": 2}] * 3}
    records = {
        "item": {"sku": "a"},
        "order": order,
        "movie": {},
        "point": [1],
        "node": {"name": "a"},
        "box": {"inside": "2025-01-02"},
    }
    for name, target, arguments in (
        ("a number", "life:echo", {"x": 1}),
        ("six records", "kinds:records", records),
        ("async", "life:slow", {"seconds": 0}),
    ):
        worker.call(target, [PROJECT], arguments)
        print("  %-12s" % name, cost(worker, target, arguments, 3000))
    rows = [{"id": i, "name": "name %d" % i, "price": i / 7, "on": None} for i in range(100_000)]
    print("  100,000 rows there and back", cost(worker, "life:echo", {"x": rows}, 3))
    begun = time.perf_counter()
    programs.introspect([{"id": 1, "target": "kinds:records", "roots": [PROJECT]}])
    print("  introspection of one function: %.0f ms" % ((time.perf_counter() - begun) * 1000))
    worker.end()


main()
