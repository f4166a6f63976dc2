"""Docstrings in the three styles, and in none."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "src", "programs"))

from _qtool.docstrings import parse  # noqa: E402


class Google(unittest.TestCase):
    def test_all_sections(self):
        made = parse("""Sums things up.

            More on it,
            in two lines.

            Args:
                a (int): the first
                    and on
                b (Optional[Dict[str, int]], optional): a choice:
                    - one
                    - two
                c: has http://a.b in it
                *rest: more
                **options (Any): options
                odd (tuple(int, int)): a pair

            Returns:
                dict[str, int]: by name

            Raises:
                ValueError: never

            Note:
                It is slow.
            """)
        self.assertEqual(made["description"], "Sums things up.\n\nMore on it,\nin two lines.\n\nNote:\n    It is slow.")
        self.assertEqual(
            made["parameters"],
            {
                "a": "the first and on",
                "b": "a choice:\n- one\n- two",
                "c": "has http://a.b in it",
                "rest": "more",
                "options": "options",
                "odd": "a pair",
            },
        )
        self.assertEqual(made["returns"], "by name")

    def test_text_after_the_sections(self):
        made = parse("One.\n\nArgs:\n    a: x\n\nLast words: these.\nReturns:\n    The sum of it all")
        self.assertEqual(made["description"], "One.\n\nLast words: these.")
        self.assertEqual((made["parameters"], made["returns"]), ({"a": "x"}, "The sum of it all"))

    def test_keyword_args(self):
        made = parse("X.\n\nKeyword Args:\n    a: x\n\nParameters:\n    b: y")
        self.assertEqual(made["parameters"], {"a": "x", "b": "y"})

    def test_yields(self):
        self.assertEqual(parse("X.\n\nYields:\n    int: one after the other")["returns"], "one after the other")


class NumPy(unittest.TestCase):
    def test_all_sections(self):
        made = parse("""
        Sums things up.

        Parameters
        ----------
        a : int
            the first
        b, c : {'x', 'y'}, optional
            two of
            a kind
        *args
            rest
        d: str

        Returns
        -------
        total : int
            the sum

        Raises
        ------
        ValueError
            never

        Examples
        --------
        >>> f(1)
        2
        """)
        self.assertEqual(made["description"], "Sums things up.\n\nExamples\n--------\n>>> f(1)\n2")
        self.assertEqual(
            made["parameters"], {"a": "the first", "b": "two of a kind", "c": "two of a kind", "args": "rest"}
        )
        self.assertEqual(made["returns"], "the sum")


class Sphinx(unittest.TestCase):
    def test_all_fields(self):
        made = parse("""Sums things up.

        :param a: the first
            and on
        :type a: int
        :param int b: the second
        :param Optional[str] c:
        :raises ValueError: never
        :returns: the sum
        :rtype: int
        """)
        self.assertEqual(made["description"], "Sums things up.")
        self.assertEqual(made["parameters"], {"a": "the first and on", "b": "the second"})
        self.assertEqual(made["returns"], "the sum")

    def test_text_with_colons_stays(self):
        made = parse("Reads :class:`Foo` at 10:30.\n\n:note: this stays\n:param x: y")
        self.assertEqual(made["description"], "Reads :class:`Foo` at 10:30.\n\n:note: this stays")


class Plain(unittest.TestCase):
    def test_nothing(self):
        for text in (None, "", "   \n  "):
            self.assertEqual(parse(text), {"description": None, "parameters": {}, "returns": None})

    def test_a_sentence(self):
        self.assertEqual(parse("Returns: nothing much")["description"], "Returns: nothing much")
        self.assertEqual(parse("Does it.\n   Indented.")["description"], "Does it.\nIndented.")


if __name__ == "__main__":
    unittest.main()
