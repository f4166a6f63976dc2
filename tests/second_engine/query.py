"""A query file: its statement, its parameters, and what comes out."""

import json

import kinds
from tree import ABSENT, LENGTHS, Both, Clause, Parameter, Use


class Names:
    """Gives out parameters; a name is that of one parameter in the whole project."""

    def __init__(self, rng, counter):
        self.rng = rng
        self.counter = counter
        self.made = {}

    def parameter(self, kind, declared=False, is_list=False, nullable=False, sizes=LENGTHS):
        alike = [other for other in self.made.values() if other.kind is kind and other.is_list == is_list
                 and other.declared == declared and not other.choices and other.nullable == nullable and other.sizes == sizes]
        if alike and self.rng.random() < 0.25:
            return self.rng.choice(alike)
        default = ABSENT
        if not is_list and not nullable and self.rng.random() < 0.12 and kind.group in ("int", "text", "date", "bool", "timestamp"):
            default = kind.draw(self.rng)
        parameter = Parameter(f"p{next(self.counter)}", kind, declared, default, is_list, nullable=nullable, sizes=sizes)
        self.made[parameter.name] = parameter
        return parameter

    def choice(self, choices):
        parameter = Parameter(f"p{next(self.counter)}", kinds.TEXT, choices=choices)
        if self.rng.random() < 0.4:
            parameter.default = self.rng.choice(sorted(choices))
        self.made[parameter.name] = parameter
        return parameter


class InScope:
    """A column that an expression may name."""

    def __init__(self, prefix, name, kind):
        self.prefix = prefix
        self.name = name
        self.kind = kind

    def sql(self):
        return f"{self.prefix}.{self.name}"


class Source:
    """What stands behind FROM: its columns, its rows about, and whether `id` tells them apart."""

    def __init__(self, node, columns, rows, unique):
        self.node = node
        self.columns = columns
        self.rows = rows
        self.unique = unique

    def scope(self, alias):
        return [InScope(alias, name, kind) for name, kind in self.columns]


class Query:
    """A query file."""

    def __init__(self, name, kind):
        self.name = name
        self.kind = kind
        self.statement = None
        self.columns = []
        self.parameters = {}
        # Indices of the columns that order the result, and whether all columns do.
        self.order = None
        self.whole_order = False
        # A limit where nothing orders: a number or a parameter.
        self.cut = None
        self.header = {}
        self.rows = 0

    def text(self):
        header = {"description": "Random.", "kind": self.kind, **self.header}
        params = {parameter.name: {"choices": parameter.choices, **({} if parameter.default is ABSENT else
                                                                    {"default": parameter.default})}
                  for parameter in self.parameters.values() if parameter.choices}
        if params:
            header["params"] = params
        lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in header.items())
        return f"/*---\n{lines}---*/\n{self.statement.ours()}\n"

    def settle(self):
        """Which of the parameters are optional, and which the statement still has."""
        inside, outside, seen = set(), set(), {}
        sort_out(self.statement, False, inside, outside, seen)
        self.parameters = seen
        for name, parameter in seen.items():
            parameter.optional = name in inside and name not in outside


def sort_out(node, in_clause, inside, outside, seen):
    if isinstance(node, Use):
        for parameter in node.renames.values():
            seen[parameter.name] = parameter
            (inside if in_clause or parameter.optional else outside).add(parameter.name)
        return
    own = getattr(node, "parameter", None)
    if own is not None:
        seen[own.name] = own
        (inside if in_clause else outside).add(own.name)
    if isinstance(node, Both):
        return
    for child in node.children():
        sort_out(child, in_clause or isinstance(node, Clause), inside, outside, seen)
