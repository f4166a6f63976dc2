"""The worker, seen from outside."""

import importlib.util
import time
import unittest

import programs
from test_introspect import OTHER, PROJECT, pydantic_version


class Case(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.worker = programs.Worker()

    @classmethod
    def tearDownClass(cls):
        if cls.worker.process.returncode is None:
            cls.worker.end()

    def answer(self, target, arguments=None, **rest):
        return self.worker.call(target, [PROJECT], arguments, **rest)[0]

    def ok(self, target, arguments=None, **rest):
        answer = self.answer(target, arguments, **rest)
        self.assertIn("ok", answer, answer)
        return answer["ok"]

    def error(self, target, arguments=None, **rest):
        answer = self.answer(target, arguments, **rest)
        self.assertIn("error", answer, answer)
        return answer["error"]


class Arguments(Case):
    def test_scalars(self):
        given = {
            "a": "7",
            "b": 5.0,
            "c": 1,
            "d": True,
            "e": None,
            "f": "AP8=",
            "g": "2025-01-02",
            "h": "01:02:03.5",
            "i": "2025-01-02T03:04:05.123456789Z",
            "j": 1.1,
            "k": "00000000-0000-0000-0000-000000000005",
            "l": "/tmp",
            "m": [1],
            "n": {},
            "o": 4,
            "p": "2025-01-02",
        }
        wanted = "str int float bool NoneType bytes date time datetime Decimal UUID PosixPath list dict int str"
        self.assertEqual(self.ok("kinds:scalars", given), wanted.split())
        typed = self.ok("kinds:scalars", given, types={"p": {"type": "date"}})
        self.assertEqual(typed[-1], "date")
        given["p"] = [{"at": "2025-01-02"}]
        stated = {
            "type": "list",
            "items": {"type": "object", "name": "X", "fields": [{"name": "at", "type": {"type": "date"}}]},
        }
        self.assertEqual(self.ok("kinds:scalars", given, types={"p": stated})[-1], "list")

    def test_wrong_scalars(self):
        good = {
            "a": "7",
            "b": 5,
            "c": 1,
            "d": True,
            "e": None,
            "f": "AP8=",
            "g": "2025-01-02",
            "h": "01:02",
            "i": "2025-01-02",
            "j": "1",
            "k": "00000000-0000-0000-0000-000000000005",
            "l": "/",
            "m": 1,
            "n": 1,
            "o": 4,
            "p": 1,
        }
        for name, value in {
            "a": 5,
            "b": "abc",
            "c": "",
            "d": "yes",
            "e": 0,
            "f": "?",
            "g": "2025-02-30",
            "h": "25:00",
            "i": "now",
            "j": "x",
            "k": "5",
            "l": 3,
            "o": 1.5,
        }.items():
            error = self.error("kinds:scalars", dict(good, **{name: value}))
            self.assertEqual(error["kind"], "argument", name)
            self.assertTrue(error["message"].startswith("`%s`: expected" % name), error)
        for value in (True, "", 1.5, [], "1.0"):
            self.assertEqual(self.error("kinds:scalars", dict(good, b=value))["kind"], "argument")

    def test_names(self):
        self.assertEqual(self.error("kinds:choices", {"a": "x"})["message"], "`b`: is missing")
        self.assertEqual(self.error("life:echo", {"x": 1, "y": 2})["message"], "`y`: is no parameter")

    def test_lists(self):
        made = self.ok(
            "kinds:lists",
            {
                "a": [1],
                "b": ["1", 2],
                "c": ["2025-01-02"],
                "d": [1],
                "e": [1, 2],
                "f": ["a", "a"],
                "g": [1, "a"],
                "h": [3],
                "i": [1, 1],
                "j": [2],
            },
        )
        self.assertEqual(made[0], [[1], [1, 2], ["2025-01-02"], [1], [1.0, 2.0], ["a"], [1, "a"], [3], [1], [2]])
        self.assertEqual(made[1], "list list list tuple tuple set tuple frozenset deque".split())
        self.assertIn("`c[1]`", self.error("kinds:lists", {"a": [], "b": [], "c": ["2025-01-02", "x"]})["message"])

    def test_maps(self):
        made = self.ok("kinds:maps", {"a": {"x": [1]}, "b": {"x": 1}, "c": {"5": "2025-01-02"}, "d": {"x": ["1"]}})
        self.assertEqual(made, [{"x": [1]}, {"x": 1}, {"5": "2025-01-02"}, {"x": [1]}])

    def test_choices(self):
        made = self.ok("kinds:choices", {"a": 3, "b": "red", "c": 3, "d": "PAIR"})
        self.assertEqual(made, [[3, "red", 3, "PAIR", None], ["int", "Colour", "Size", "Odd", "NoneType"]])
        message = self.error("kinds:choices", {"a": "x", "b": "RED", "c": 1, "d": "PAIR"})["message"]
        self.assertEqual(message, '`b`: expected one of "red", "blue", got "RED"')

    def test_unions(self):
        made = self.ok("kinds:unions", {"a": None, "b": 1, "c": "7", "d": "2025-01-02", "e": None, "f": {}, "g": ["x"]})
        self.assertEqual(made, [None, 1, "7", "2025-01-02", None, {}, ["x"]])

    def test_records(self):
        uuid = "00000000-0000-0000-0000-000000000005"
        given = {
            "item": {"sku": "a", "at": "2025-01-02"},
            "order": {"id": uuid, "items": [{"sku": "b", "count": 2}], "colour": "blue"},
            "movie": {"title": "x"},
            "point": [1],
            "node": {"name": "a", "children": [{"name": "b"}]},
            "box": {"inside": "2025-01-02"},
        }
        item = {"sku": "b", "count": 2, "tags": [], "at": None, "note": ""}
        self.assertEqual(
            self.ok("kinds:records", given),
            {
                "item": {"sku": "a", "count": 1, "tags": [], "at": "2025-01-02", "note": ""},
                "order": {"id": uuid, "items": [item], "colour": "blue", "total": "1.50"},
                "movie": {"title": "x"},
                "point": {"x": 1.0, "y": 0.0},
                "node": {"name": "a", "children": [{"name": "b", "children": []}]},
                "box": {"inside": "2025-01-02"},
            },
        )
        given["order"]["items"][0]["count"] = "many"
        self.assertEqual(
            self.error("kinds:records", given)["message"], '`order.items[0].count`: expected a whole number, got "many"'
        )
        given["order"] = {"items": []}
        self.assertEqual(self.error("kinds:records", given)["message"], "`order.id`: is missing")
        self.assertEqual(self.error("life:checked", {"r": {"low": 2, "high": 1}})["message"], "`r`: low is above high")

    def test_positions(self):
        self.assertEqual(self.ok("kinds:shapes", {"a": 1, "b": 2, "c": 3}), [1, 2, 3, 5])
        self.assertEqual(self.ok("kinds:left", {"b": 5}), [1, 5, 3])

    def test_methods(self):
        self.assertEqual(self.ok("shop:Shop.visit", {"by": 2}), [2, 1])
        self.assertEqual(self.ok("shop:Shop.visit"), [3, 1])
        self.assertEqual(self.ok("shop:Shop.open", {"day": "sun"}), False)
        self.assertEqual(self.ok("shop:Shop.kind"), "Shop")
        self.assertEqual(self.ok("shop:wrapped", {"x": 1}), 2)
        self.assertEqual(self.ok("shop:plain_sum", {"a": 1, "b": 2}), 3)
        self.assertEqual(self.ok("shop:double", {"x": 4}), 8)

    def test_files_and_roots(self):
        self.assertEqual(self.ok("loose/my-tools.py:f"), "loose")
        self.assertEqual(self.ok("pack/tools.py:f"), "pack")
        self.assertEqual(self.worker.call("tools:f", [OTHER])[0]["ok"], "other late")
        self.assertEqual(self.ok("loose/my-tools.py:f"), "loose")
        self.assertEqual(self.ok("json.py:mine"), "[1]")


class Results(Case):
    def test_values(self):
        for which, wanted in {
            "big": 2**70,
            "keys": {"1": "c", "null": "b", "2.5": "d", "2025-01-02": "e"},
            "set": ["a", "b", "c"],
            "bytes": "AP8=",
            "generator": [0, 1, 4, 9],
            "views": [["b", "a"], [1], [0, 1], ["1"]],
            "flag": [2],
            "moments": ["2025-01-02", "01:02:03", "2025-01-02T03:04:05.000600", "2025-01-02T00:00:00Z", "P1DT1M30S"],
            "exact": ["1.50", "1000", "00000000-0000-0000-0000-000000000005"],
        }.items():
            self.assertEqual(self.ok("life:results", {"which": which}), wanted, which)

    def test_what_is_not_json(self):
        for which, wanted in {
            "nan": "result.rows[1].price is NaN",
            "inf": "result is infinite",
            "object": 'result["a b"][0] is of type `object`',
            "coroutine": "result[0] is a `coroutine` that nobody awaited",
            "twice": 'result has the key "1" twice',
            "tuple key": "result has a key that",
            "surrogate": "result[1].x is text with half",
            "decimal nan": "result is NaN",
            "huge": "result cannot",
        }.items():
            error = self.error("life:results", {"which": which})
            self.assertEqual(error["kind"], "result", error)
            self.assertTrue(error["message"].startswith(wanted), error)

    def test_depth(self):
        for target in ("life:deep", "life:ring"):
            self.assertIn("nested more than", self.error(target)["message"])
        self.assertEqual(self.ok("life:nothing"), None)

    def test_a_generator_that_fails(self):
        self.assertEqual(self.error("life:results", {"which": "failing generator"})["type"], "ZeroDivisionError")


class Exceptions(Case):
    def test_each_is_one_answer(self):
        error = self.error("life:boom")
        self.assertEqual((error["kind"], error["type"], error["message"]), ("exception", "ValueError", "inner secret"))
        self.assertTrue(error["file"].endswith("life.py") and error["line"] > 0)
        self.assertTrue(
            error["traceback"].startswith('Traceback (most recent call last):\n  File "%s' % PROJECT), error
        )
        self.assertNotIn("_qtool", error["traceback"])
        for target, kind in {
            "mute": "Mute",
            "leave": "SystemExit",
            "interrupt": "KeyboardInterrupt",
            "strange": "Strange",
            "recurse": "RecursionError",
        }.items():
            error = self.error("life:" + target)
            self.assertEqual((error["kind"], error["type"]), ("exception", kind))
            self.assertLess(len(error["traceback"]), 21_000)
        self.assertEqual(self.error("life:nope")["kind"], "no-such-function")
        self.assertEqual(self.error("broken:f")["kind"], "syntax")
        self.assertEqual(self.error("leaves:f")["kind"], "exit")
        self.assertEqual(self.ok("life:echo", {"x": 1}), 1)

    def test_protocol(self):
        for line in (b"nonsense\n", b"[]\n", b'{"call": 5}\n', b"[" * 100_000 + b"\n"):
            self.worker.process.stdin.write(line)
            self.worker.process.stdin.flush()
            self.assertEqual(self.worker.read()["error"]["kind"], "protocol")
        self.assertEqual(self.ok("life:echo", {"x": "é\u2028"}), "é\u2028")


class Telling(Case):
    def test_context(self):
        answer, told = self.worker.call("kinds:with_context", [PROJECT], {"x": 1})
        self.assertEqual(answer["ok"], "Context")
        number = answer["call"]
        self.assertEqual(
            told,
            [
                {"call": number, "progress": 1, "total": 3, "message": "one"},
                {"call": number, "progress": 2.5},
                {"call": number, "log": {"level": "info", "message": "said"}},
                {"call": number, "log": {"level": "error", "message": "bad"}},
            ],
        )

    def test_awaited(self):
        answer, told = self.worker.call("life:reports", [PROJECT])
        self.assertEqual(answer["ok"], "done")
        self.assertEqual([one.get("log", {}).get("message") for one in told], [None, "awaited", "from the log"])

    def test_logs(self):
        _, told = self.worker.call("life:logs", [PROJECT])
        found = [(one["log"]["level"], one["log"]["message"].split("\n")[0]) for one in told]
        self.assertEqual(found, [("info", "plain"), ("warning", "from a thread"), ("error", "failed")])
        self.assertIn("ZeroDivisionError", told[2]["log"]["message"])


class Async(Case):
    def test_side_by_side(self):
        begun = time.monotonic()
        numbers = {self.worker.begin("life:slow", [PROJECT], {"seconds": 0.3}) for _ in range(10)}
        sync = self.worker.begin("life:echo", [PROJECT], {"x": 1})
        lines = self.worker.answers(11)
        self.assertLess(time.monotonic() - begun, 2)
        self.assertEqual(lines[0], {"call": sync, "ok": 1})
        self.assertEqual({one["call"] for one in lines[1:]}, numbers)

    def test_kinds(self):
        self.assertEqual(self.ok("life:counts"), [0, 1, 2])
        self.assertEqual(self.error("life:slow", {"seconds": 0, "fail": True})["type"], "LookupError")
        self.assertEqual(self.ok("life:runs_a_loop"), "slept")
        self.assertEqual(self.ok("life:hands_over"), "slept")
        self.assertEqual(self.ok("shop:from_database"), 7)
        self.ok("life:leaves_in_task")
        self.assertEqual(self.ok("life:slow", {"seconds": 0}), "slept")

    def test_cancel(self):
        number = self.worker.begin("life:slow", [PROJECT], {"seconds": 30})
        other = self.worker.begin("life:slow", [PROJECT], {"seconds": 0.2})
        time.sleep(0.05)
        self.worker.send({"cancel": number})
        self.assertEqual(
            self.worker.read(), {"call": number, "error": {"kind": "cancelled", "message": "the call was cancelled"}}
        )
        self.assertEqual(self.worker.read(), {"call": other, "ok": "slept"})
        self.worker.send({"cancel": number})
        self.worker.send({"cancel": 999})
        stubborn = self.worker.begin("life:stubborn", [PROJECT])
        time.sleep(0.1)
        self.worker.send({"cancel": stubborn})
        self.assertEqual(self.worker.read(), {"call": stubborn, "ok": "would not go"})

    def test_cancel_before_it_begins(self):
        for _ in range(20):
            first = self.worker.begin("life:sleeps", [PROJECT], {"seconds": 0.02})
            waiting = [
                self.worker.begin("life:slow", [PROJECT], {"seconds": 30}),
                self.worker.begin("life:echo", [PROJECT], {"x": 1}),
            ]
            for number in waiting:
                self.worker.send({"cancel": number})
            lines = {line["call"]: line for line in self.worker.answers(3)}
            self.assertIn("ok", lines[first])
            self.assertEqual(lines[waiting[0]]["error"]["kind"], "cancelled")


class Ending(unittest.TestCase):
    def test_prints_and_input_leave_the_protocol_alone(self):
        worker = programs.Worker()
        self.assertEqual(worker.call("life:prints", [PROJECT])[0]["ok"], "no input")
        code, said = worker.end()
        self.assertEqual(code, 0)
        for text in ("to stdout", "to the first stdout", "to fd 1", "from a child"):
            self.assertIn(text, said)

    def test_calls_that_were_sent_are_answered(self):
        worker = programs.Worker()
        for target, arguments in (
            ("life:slow", {"seconds": 0.2}),
            ("life:echo", {"x": 1}),
            ("life:slow", {"seconds": 0}),
        ):
            worker.begin(target, [PROJECT], arguments)
        worker.process.stdin.close()
        lines = worker.process.stdout.read().splitlines()
        self.assertEqual((len(lines), worker.process.wait(10)), (3, 0))
        worker.process.stderr.close()

    def test_what_still_runs_does_not_keep_it(self):
        for target, arguments in (
            ("life:leaves_a_thread", {}),
            ("life:sleeps", {"seconds": 60}),
            ("life:slow", {"seconds": 60}),
        ):
            worker = programs.Worker()
            worker.begin(target, [PROJECT], arguments)
            time.sleep(0.2)
            begun = time.monotonic()
            worker.process.stdin.close()
            self.assertEqual(worker.process.wait(20), 0)
            self.assertLess(time.monotonic() - begun, 10)
            worker.process.stdout.close()
            worker.process.stderr.close()

    def test_ready(self):
        worker = programs.Worker()
        self.assertEqual(worker.ready["ready"]["pid"], worker.process.pid)
        self.assertEqual(worker.end(), (0, ""))


@unittest.skipUnless(pydantic_version() == 2, "needs Pydantic 2")
class Pydantic2(Case):
    def test_models(self):
        made = self.ok(
            "pydantic_2:invoice",
            {
                "i": {
                    "invoiceId": 1,
                    "Other": "o",
                    "when": "2025-01-02T00:00:00Z",
                    "lines": [{"sku": "AB", "day": "2025-01-02"}],
                }
            },
        )
        # An alias for validation alone is none for what is written.
        self.assertEqual(
            made,
            {
                "invoiceId": 1,
                "lines": [{"sku": "AB", "qty": 1, "day": "2025-01-02"}],
                "other": "o",
                "when": "2025-01-02T00:00:00Z",
                "parent": None,
            },
        )
        error = self.error("pydantic_2:invoice", {"i": {"invoiceId": 1, "lines": [{"sku": "ab", "qty": 0}]}})
        self.assertEqual(error["kind"], "argument")
        self.assertIn("`i.lines[0].sku`", error["message"])
        self.assertNotIn("http", error["message"])

    def test_fields_of_parameters(self):
        self.assertEqual(self.ok("pydantic_2:fields", {"b": 1}), [5, 1, None, "a"])
        self.assertEqual(self.error("pydantic_2:fields", {})["message"], "`b`: is missing")

    def test_others(self):
        given = {"url": "http://a.b/", "blob": {"data": "/w=="}, "names": ["x"], "c": {"x": 2}, "e": 4}
        self.assertEqual(
            self.ok("pydantic_2:more", given), [["http://a.b/", {"data": "/w==", "note": ""}, ["x"], {"x": 2}, 4], True]
        )
        self.assertIn("has to be even", self.error("pydantic_2:more", dict(given, e=3))["message"])
        self.assertIn("`c.x`", self.error("pydantic_2:more", dict(given, c={"x": 1}))["message"])


@unittest.skipUnless(pydantic_version(), "needs Pydantic")
class Pydantic1(Case):
    def test_models(self):
        made = self.ok(
            "pydantic_1:invoice", {"i": {"invoiceId": 1, "lines": [{"sku": "AB"}], "data": "/w=="}, "n": ["x"], "q": 5}
        )
        line = {"sku": "AB", "qty": 1, "day": None}
        self.assertEqual(made, [{"invoiceId": 1, "lines": [line], "data": "/w=="}, ["x"], 5, True])
        self.assertIn(
            "`i.lines[0].sku`",
            self.error("pydantic_1:invoice", {"i": {"invoiceId": 1, "lines": [{"sku": "a"}]}, "n": []})["message"],
        )


@unittest.skipUnless(
    importlib.util.find_spec("polars") and importlib.util.find_spec("pandas"), "needs pandas and polars"
)
class Frames(Case):
    def test_rows(self):
        rows = [{"a": 1, "b": 1.5, "c": "2025-01-01T00:00:00", "5": "x"}, {"a": 2, "b": None, "c": None, "5": None}]
        self.assertEqual(self.ok("frames:frame"), rows)
        self.assertEqual(self.ok("frames:indexed"), [{"a": 1, "b": 1.5}, {"a": 2, "b": 0.0}])
        self.assertEqual(self.ok("frames:lazy"), [{"a": 1, "b": [1]}, {"a": None, "b": [2, 3]}])
        self.assertEqual(self.ok("frames:numbers"), [3, 0.5, [[1, 2], [3, 4]], True, [1.0, None]])
        self.assertEqual(self.error("frames:infinite")["message"], "result[0].a is infinite, which JSON does not have")
        self.assertIn("two columns `a`", self.error("frames:doubled")["message"])


if __name__ == "__main__":
    unittest.main()
