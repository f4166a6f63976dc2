"""SQL as a tree of pieces that is written twice: for qtool with placeholders, for DuckDB with the values of a call.

What qtool does with a placeholder, an optional clause, a choice or a view is done here a second time, from the JSON
values and the declared types alone.
"""

import kinds

ABSENT = object()
LENGTHS = (0, 1, 2, 3, 4, 5, 12)


class Parameter:
    """What an agent may send under a name."""

    def __init__(self, name, kind, declared=False, default=ABSENT, is_list=False, choices=None, low=None,
                 nullable=False, sizes=LENGTHS):
        self.name = name
        self.kind = kind
        self.declared = declared
        self.default = default
        self.is_list = is_list
        self.choices = choices
        self.low = low
        # Written with a question mark: NULL where nothing is sent.
        self.nullable = nullable
        # How many items a list may have.
        self.sizes = sizes
        # Used in optional clauses alone.
        self.optional = False

    def renamed(self, name):
        other = Parameter(name, self.kind, self.declared, self.default, self.is_list, self.choices, self.low,
                          self.nullable, self.sizes)
        other.optional = self.optional
        return other


class Call:
    """The values of one call, by the names that a statement uses."""

    def __init__(self, values):
        self.values = values

    def value(self, parameter):
        value = self.values.get(parameter.name, ABSENT)
        if value is ABSENT or value is None:
            return None if parameter.default is ABSENT else parameter.default
        return value


class Node:
    """Text and further nodes. `instead` holds smaller nodes that mean something of the same kind."""

    def __init__(self, *parts, instead=()):
        self.parts = list(parts)
        self.instead = list(instead)

    def ours(self):
        return "".join(part if isinstance(part, str) else part.ours() for part in self.parts)

    def theirs(self, call):
        return "".join(part if isinstance(part, str) else part.theirs(call) for part in self.parts)

    def children(self):
        return [part for part in self.parts if isinstance(part, Node)]

    def walk(self):
        yield self
        for child in self.children():
            yield from child.walk()

    def edits(self):
        """Ways to make it smaller: pairs of functions that do it and that take it back."""
        for other in self.instead:
            yield replace(self, "parts", [other])


def replace(node, name, value):
    before = getattr(node, name)
    return lambda: setattr(node, name, value), lambda: setattr(node, name, before)


class Many(Node):
    """Nodes with a text between them, `least` of which must stay."""

    def __init__(self, between, items, least=1):
        super().__init__(*items)
        self.between = between
        self.least = least

    def ours(self):
        return self.between.join(part.ours() for part in self.parts)

    def theirs(self, call):
        return self.between.join(part.theirs(call) for part in self.parts)

    def edits(self):
        half = len(self.parts) // 2
        if half > max(4, self.least):
            yield replace(self, "parts", self.parts[:half])
            yield replace(self, "parts", self.parts[half:])
        if len(self.parts) > self.least:
            for index in range(len(self.parts)):
                yield replace(self, "parts", self.parts[:index] + self.parts[index + 1:])


class Maybe(Node):
    """Something that may go as a whole."""

    def edits(self):
        if self.parts:
            yield replace(self, "parts", [])


class Both(Node):
    """What the two engines write differently."""

    def __init__(self, ours, theirs):
        super().__init__(ours)
        self.other = theirs

    def theirs(self, call):
        return self.other if isinstance(self.other, str) else self.other.theirs(call)

    def edits(self):
        return ()


class Placeholder(Node):
    """A value of the call."""

    def __init__(self, parameter):
        super().__init__()
        self.parameter = parameter

    def ours(self):
        parameter = self.parameter
        written = parameter.name + ("?" if parameter.nullable else "")
        if parameter.declared:
            written += f": {parameter.kind.sql}" + ("[]" if parameter.is_list else "")
        if parameter.default is not ABSENT and not parameter.choices:
            written += f" = {default_literal(parameter)}"
        return f"<< {written} >>"

    def theirs(self, call):
        kind, value = self.parameter.kind, call.value(self.parameter)
        if self.parameter.is_list:
            items = ", ".join(kinds.literal(kind, item) for item in value)
            return f"CAST([{items}] AS {kind.theirs}[])"
        return kinds.literal(kind, value)

    def walk(self):
        yield self


class HasItem(Node):
    """Whether a list of the call holds a value: in an empty one is nothing, and no NULL is looked for."""

    def __init__(self, items, value):
        super().__init__("array_has(", items, f", {value})")
        self.items = items

    def theirs(self, call):
        return super().theirs(call) if call.value(self.items.parameter) else "false"


def default_literal(parameter):
    kind, value = parameter.kind, parameter.default
    if kind.group in ("int", "float"):
        return repr(value)
    if kind.group == "text":
        return kinds.quoted(value)
    if kind.group == "bool":
        return "true" if value else "false"
    return f"{kind.group.upper()} {kinds.quoted(kinds.plain_text(kind, value).replace('T', ' '))}"


class InList(Node):
    """`value IN << list >>`: nothing is in an empty list, also not null."""

    def __init__(self, value, parameter, negated):
        super().__init__(value)
        self.parameter = parameter
        self.negated = negated

    def word(self):
        return "NOT IN" if self.negated else "IN"

    def ours(self):
        return f"{self.parts[0].ours()} {self.word()} {Placeholder(self.parameter).ours()}"

    def theirs(self, call):
        items = call.value(self.parameter)
        if not items:
            return "true" if self.negated else "false"
        written = ", ".join(kinds.literal(self.parameter.kind, item) for item in items)
        return f"{self.parts[0].theirs(call)} {self.word()} ({written})"

    def walk(self):
        yield Placeholder(self.parameter)
        yield from super().walk()


class Clause(Node):
    """`[[ AND … ]]`: not there unless all its placeholders have values."""

    def __init__(self, word, condition):
        super().__init__(condition)
        self.word = word

    def parameters(self):
        return {node.parameter for node in self.parts[0].walk() if isinstance(node, Placeholder)}

    def ours(self):
        return f" [[ {self.word} {self.parts[0].ours()} ]]" if self.parts else ""

    def theirs(self, call):
        if not self.parts or any(call.value(parameter) is None for parameter in self.parameters()):
            return ""
        return f" {self.word} {self.parts[0].theirs(call)}"

    def edits(self):
        if self.parts:
            yield replace(self, "parts", [])


class Chosen(Node):
    """A piece of SQL that the call chooses by a name."""

    def __init__(self, parameter):
        super().__init__()
        self.parameter = parameter

    def ours(self):
        return f"<< {self.parameter.name} >>"

    def theirs(self, call):
        return self.parameter.choices[call.value(self.parameter)]

    def walk(self):
        yield Placeholder(self.parameter)


class Use(Node):
    """Another query as a table. `renames` maps its parameters to those that they are here."""

    def __init__(self, query, renames):
        super().__init__()
        self.query = query
        self.renames = renames

    def ours(self):
        written = ", ".join(f"{name} => << {to.name} >>" for name, to in self.renames.items() if name != to.name)
        return f"{self.query.name}({written})" if written else self.query.name

    def theirs(self, call):
        values = {name: call.values[to.name] for name, to in self.renames.items() if to.name in call.values}
        return f"({self.query.statement.theirs(Call(values))})"

    def walk(self):
        yield self
        for parameter in self.renames.values():
            yield Placeholder(parameter)
