"""What is rare in annotations, and functions that start processes."""

import sys
import unittest

from test_introspect import PROJECT, types
from test_worker import Case


class Corners(Case):
    @unittest.skipIf(sys.version_info < (3, 11), "needs Required and NotRequired")
    def test_typed_dictionaries_with_qualifiers_in_strings(self):
        found = types("corners:typed")
        self.assertEqual([one["required"] for one in found["m"]["fields"]], [True, True, False])
        self.assertEqual([one["required"] for one in found["l"]["fields"]], [True, False])
        self.assertEqual(self.ok("corners:typed", {"m": {"a": 1, "b": "x"}, "l": {"a": 1}}), {"a": 1, "b": "x"})

    def test_fields_of_the_class_above_and_of_the_constructor_alone(self):
        self.assertEqual(len(types("corners:longer")["x"]["fields"]), 6)
        self.assertEqual(self.ok("corners:longer", {"x": {"sku": "a", "extra": 5}})["made"], 10)

    @unittest.skipIf(sys.version_info < (3, 12), "needs the type statement")
    def test_generic_classes_and_aliases(self):
        found = types("newer:f")
        self.assertEqual(found["pair"]["items"], {"type": "integer"})
        inner = found["page"]["fields"][0]["type"]["items"]
        self.assertEqual((inner["name"], inner["fields"][0]["type"]["items"]), ("Page", {"type": "integer"}))
        given = {"names": ["a"], "pair": ["1", 2], "page": {"rows": [{"rows": ["1"]}]}, "k": "3"}
        self.assertEqual(self.ok("newer:f", given), {"rows": [{"rows": [1], "next": None}], "next": None})
        self.assertEqual(types("newer:tree")["t"]["fields"][0]["type"], {"type": "integer"})
        made = {"value": 1, "below": [{"value": 2, "below": []}], "odd": None}
        self.assertEqual(self.ok("newer:tree", {"t": made})["below"][0], {"value": 2, "below": [], "odd": None})
        self.assertIn(
            "`t.below[0].value`",
            self.error("newer:tree", {"t": dict(made, below=[{"value": "x", "below": []}])})["message"],
        )

    def test_processes(self):
        for how in ("fork", "spawn", "forkserver"):
            self.assertEqual(self.worker.call("work:pool", [PROJECT], {"how": how})[0].get("ok"), [0, 1, 4, 9])
        self.assertEqual(self.ok("work:child"), "True\n")
        self.assertEqual(self.ok("work:fork"), 0)


if __name__ == "__main__":
    unittest.main()
