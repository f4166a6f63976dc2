"""The introspector, seen from outside."""

import importlib.util
import os
import unittest

import programs

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "project")
OTHER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "other")
PYDANTIC = importlib.util.find_spec("pydantic")


def pydantic_version():
    if PYDANTIC is None:
        return 0
    import pydantic

    return int(pydantic.VERSION.split(".")[0])


def ask(*targets, roots=(PROJECT,)):
    answers, said = programs.introspect(
        [{"id": at, "target": one, "roots": list(roots)} for at, one in enumerate(targets)]
    )
    return [one.get("ok") or one["error"] for one in answers], said


def described(target):
    made = ask(target)[0][0]
    assert "parameters" in made, made
    return {one["name"]: one for one in made["parameters"]}, made


def types(target):
    return {name: one["type"] for name, one in described(target)[0].items()}


class Types(unittest.TestCase):
    maxDiff = None

    def test_scalars(self):
        found = [one["type"] for one in types("kinds:scalars").values()]
        wanted = (
            "text integer number boolean none bytes date time timestamp decimal uuid text json json integer missing"
        )
        self.assertEqual(found, wanted.split())

    def test_lists(self):
        found = types("kinds:lists")
        integers = {"type": "list", "items": {"type": "integer"}}
        self.assertEqual(found["a"], {"type": "list", "items": {"type": "json"}})
        for name in "bdhij":
            self.assertEqual(found[name], integers)
        self.assertEqual(found["c"], {"type": "list", "items": {"type": "date"}})
        two = {"min_items": 2, "max_items": 2}
        self.assertEqual(found["e"], {"type": "list", "items": {"type": "number"}, "constraints": two})
        self.assertEqual(found["g"], {"type": "list", "items": {"type": "json"}, "constraints": two})

    def test_maps(self):
        found = types("kinds:maps")
        self.assertEqual(found["b"], {"type": "map", "values": {"type": "integer"}})
        self.assertEqual(found["c"], {"type": "map", "values": {"type": "date"}})
        self.assertEqual(found["d"], {"type": "map", "values": {"type": "list", "items": {"type": "integer"}}})

    def test_choices(self):
        found = types("kinds:choices")
        self.assertEqual(found["a"], {"type": "enum", "values": ["x", "y", 3]})
        self.assertEqual(found["b"], {"type": "enum", "values": ["red", "blue"]})
        self.assertEqual(found["c"], {"type": "enum", "values": [1, 3]})
        self.assertEqual(found["d"], {"type": "enum", "values": ["PAIR", "OTHER"]})
        self.assertEqual(found["e"], {"type": "enum", "values": ["p"], "nullable": True})

    def test_unions(self):
        found = types("kinds:unions")
        self.assertEqual(found["a"], {"type": "integer", "nullable": True})
        self.assertEqual(found["b"], {"type": "number"})
        self.assertEqual(found["c"]["type"], "unknown")
        self.assertEqual(found["d"], {"type": "date", "nullable": True})
        self.assertEqual(found["e"], {"type": "integer", "nullable": True})
        self.assertEqual(found["f"], {"type": "unknown", "shown": "Absent", "nullable": True})
        self.assertEqual(found["g"]["type"], "unknown")

    def test_records(self):
        found = types("kinds:records")
        self.assertEqual(
            found["item"],
            {
                "type": "object",
                "name": "Item",
                "fields": [
                    {"name": "sku", "type": {"type": "text"}, "required": True, "description": "which article"},
                    {"name": "count", "type": {"type": "integer"}, "required": False, "default": 1},
                    {
                        "name": "tags",
                        "type": {"type": "list", "items": {"type": "text"}},
                        "required": False,
                        "default": [],
                    },
                    {"name": "at", "type": {"type": "date", "nullable": True}, "required": False, "default": None},
                    {
                        "name": "note",
                        "type": {"type": "text"},
                        "required": False,
                        "default": "",
                        "description": "free text",
                    },
                ],
            },
        )
        order = {one["name"]: one for one in found["order"]["fields"]}
        self.assertEqual(order["items"]["type"]["items"], found["item"])
        self.assertEqual((order["colour"]["default"], order["total"]["default"]), ("red", "1.50"))
        self.assertEqual([one["required"] for one in found["movie"]["fields"]], [False, False])
        self.assertEqual([one["required"] for one in found["point"]["fields"]], [True, False])
        self.assertEqual(found["node"]["fields"][1]["type"], {"type": "list", "items": {"type": "json"}})
        self.assertEqual(found["box"]["fields"][0]["type"], {"type": "date"})

    def test_annotated(self):
        found = described("kinds:annotated")[0]
        self.assertEqual(found["a"]["type"], {"type": "integer", "constraints": {"minimum": 3}})
        self.assertEqual(found["a"]["description"], "how many")
        self.assertEqual(found["b"]["type"], {"type": "text", "nullable": True})

    def test_returns(self):
        returns = described("kinds:returning")[1]["returns"]
        self.assertEqual(returns["values"]["items"]["name"], "Order")
        made = described("kinds:gives")[1]
        self.assertEqual(
            (made["returns"], made["is_generator"]), ({"type": "list", "items": {"type": "integer"}}, True)
        )


class Functions(unittest.TestCase):
    def test_kinds_of_parameters(self):
        found, made = described("kinds:shapes")
        self.assertEqual([one["kind"] for one in found.values()], ["positional", "positional", "keyword", "keyword"])
        self.assertEqual([one["required"] for one in found.values()], [True, True, True, False])
        self.assertEqual(len(made["notes"]), 2)

    def test_context_is_injected(self):
        found = described("kinds:with_context")[0]
        self.assertEqual([one["injected"] for one in found.values()], [None, "context"])
        found = described("life:reports")[0]
        self.assertEqual(found["context"]["injected"], "context")

    def test_defaults(self):
        found, made = described("kinds:defaults")
        self.assertNotIn("default", found["a"])
        self.assertNotIn("default", found["d"])
        self.assertEqual([found[name]["default"] for name in "bcef"], ["2025-01-02", "blue", [1, 2], 2**60])
        self.assertEqual(len(made["notes"]), 2)

    def test_methods_and_callables(self):
        found, _ = ask(
            "shop:Shop.visit",
            "shop:Shop.open",
            "shop:Shop.kind",
            "shop:uncalled",
            "shop:double",
            "shop:wrapped",
            "shop:plain_sum",
            "shop:root",
        )
        names = [[one["name"] for one in made["parameters"]] for made in found]
        self.assertEqual(names, [["by"], ["day"], [], ["x"], ["x", "y"], ["x"], ["a", "b"], ["x"]])
        self.assertEqual(found[0]["doc"]["description"], "Counts a visit.")
        self.assertTrue(found[6]["file"].endswith("shop.py"))
        self.assertIsNone(found[7]["file"])

    def test_async(self):
        found, _ = ask("life:slow", "life:counts", "life:echo")
        self.assertEqual([one["is_async"] for one in found], [True, True, False])

    def test_files(self):
        found, _ = ask("pack/tools.py:f", "loose/my-tools.py:f", "json.py:mine", "pack.tools:f")
        self.assertEqual([one["returns"] for one in found], [{"type": "text"}] * 4)

    def test_roots_do_not_mix(self):
        answers, _ = programs.introspect(
            [
                {"id": 1, "target": "loose/my-tools.py:f", "roots": [PROJECT]},
                {"id": 2, "target": "tools:f", "roots": [OTHER]},
                {"id": 3, "target": "pack.tools:f", "roots": [PROJECT]},
            ]
        )
        self.assertEqual([one["ok"]["name"] for one in answers], ["f"] * 3)


class Errors(unittest.TestCase):
    def test_each_alone(self):
        wanted = {
            "nonsense": "bad-target",
            "a:b c": "bad-target",
            "nowhere:f": "no-such-module",
            "no.where:f": "no-such-module",
            "nofile.py:f": "no-such-file",
            "broken:f": "syntax",
            "broken.py:f": "syntax",
            "leaves:f": "exit",
            "leaves_hard:f": "exit",
            "lacks:f": "import",
            "raises:f": "import",
            "interrupts:f": "import",
            "shop:plain_sun": "no-such-function",
            "shop:Shop.vist": "no-such-function",
            "shop:nothing": "not-callable",
            "shop:Shop": "not-callable",
            "shop:Needy.go": "class-arguments",
            "shop:mapping": "no-signature",
            "noisy:quiet": None,
        }
        found, said = ask(*wanted)
        if found[list(wanted).index("shop:mapping")].get("kind") != "no-signature":
            wanted["shop:mapping"] = None
        self.assertEqual([one.get("kind") for one in found], list(wanted.values()))
        made = dict(zip(wanted, found))
        self.assertIn("noise of a child", said)
        self.assertEqual((made["broken:f"]["line"], os.path.basename(made["broken:f"]["file"])), (1, "broken.py"))
        self.assertEqual(made["raises:f"]["line"], 2)
        self.assertIn("no licence", made["raises:f"]["message"])
        self.assertEqual(made["leaves:f"]["line"], 2)
        self.assertIn("nothing_like_that", made["lacks:f"]["message"])
        self.assertIn("did you mean `plain_sum`", made["shop:plain_sun"]["message"])
        self.assertIn("did you mean `visit`", made["shop:Shop.vist"]["message"])
        self.assertIn("`url`", made["shop:Needy.go"]["message"])

    def test_the_project_stays_as_it_was(self):
        ask("kinds:scalars", "pack.tools:f")
        for folder, folders, _ in os.walk(PROJECT):
            self.assertNotIn("__pycache__", folders, folder)


@unittest.skipUnless(pydantic_version() == 2, "needs Pydantic 2")
class Pydantic2(unittest.TestCase):
    maxDiff = None

    def test_models(self):
        found = described("pydantic_2:invoice")[0]
        fields = {one["name"]: one for one in found["i"]["type"]["fields"]}
        self.assertEqual(list(fields), ["invoiceId", "lines", "Other", "when", "parent"])
        self.assertEqual(fields["lines"]["default"], [])
        self.assertEqual(fields["lines"]["type"]["constraints"], {"max_items": 3})
        self.assertEqual((fields["when"]["required"], "default" in fields["when"]), (False, False))
        self.assertEqual(fields["parent"]["type"], {"type": "json", "nullable": True})
        line = fields["lines"]["type"]["items"]["fields"]
        self.assertEqual(
            line[0],
            {
                "name": "sku",
                "required": True,
                "description": "article",
                "type": {"type": "text", "constraints": {"min_length": 2, "max_length": 8, "pattern": "^[A-Z]+$"}},
            },
        )
        self.assertEqual(line[1]["type"], {"type": "integer", "constraints": {"exclusive_minimum": 0}})
        self.assertEqual(found["note"]["type"], {"type": "text", "constraints": {"max_length": 5}})
        self.assertEqual(found["note"]["description"], "short")

    def test_fields_of_parameters(self):
        found = described("pydantic_2:fields")[0]
        self.assertEqual(found["a"]["type"]["constraints"], {"minimum": 1, "exclusive_maximum": 10, "multiple_of": 5})
        self.assertEqual((found["a"]["default"], found["a"]["required"], found["a"]["description"]), (5, False, "five"))
        self.assertTrue(found["b"]["required"])
        self.assertEqual(found["d"]["type"], {"type": "text", "constraints": {"pattern": "^a"}})

    def test_others(self):
        found = types("pydantic_2:more")
        self.assertEqual(found["url"]["type"], "text")
        self.assertEqual(found["names"], {"type": "list", "items": {"type": "text"}})
        self.assertEqual(
            found["c"]["fields"],
            [{"name": "x", "type": {"type": "integer", "constraints": {"minimum": 2}}, "required": True}],
        )


@unittest.skipUnless(pydantic_version(), "needs Pydantic")
class Pydantic1(unittest.TestCase):
    def test_models(self):
        found = types("pydantic_1:invoice")
        fields = {one["name"]: one for one in found["i"]["fields"]}
        self.assertEqual(list(fields), ["invoiceId", "lines", "data"])
        line = {one["name"]: one for one in fields["lines"]["type"]["items"]["fields"]}
        self.assertEqual(line["sku"]["type"]["constraints"], {"min_length": 2, "pattern": "^[A-Z]+$"})
        self.assertEqual(line["qty"]["type"], {"type": "integer", "constraints": {"exclusive_minimum": 0}})
        self.assertEqual(line["day"]["type"], {"type": "date", "nullable": True})
        self.assertEqual(found["n"], {"type": "list", "items": {"type": "text"}})
        self.assertEqual(found["q"], {"type": "integer", "constraints": {"minimum": 2}})


if __name__ == "__main__":
    unittest.main()
