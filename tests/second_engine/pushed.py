"""Selects whose conditions, columns and limits a database may be asked for: every operator with every type of column."""

import datetime

import kinds
from edges import DIGITS, near
from expressions import COMPARE, SMALL, UNWRITTEN
from kinds import BIGINT, BOOLEAN, DATE, DOUBLE, TIMESTAMP, Kind
from query import InScope, Source
from tree import Clause, InList, Many, Maybe, Node, Placeholder

LONG = (0, 1, 2, 3, 8, 17, 255, 499, 500, 501, 513, 600)
WILD = Kind("float", "double", "DOUBLE", DOUBLE.arrow,
            lambda rng: rng.choice([0.5, -0.5, 1.0, 2.0, 3.0, 1e19, -1e19, 9223372036854775807.0, 9007199254740993.0, 2.5, 1e-9]))
MIDNIGHT = Kind("timestamp", "timestamp", "TIMESTAMP", TIMESTAMP.arrow,
                lambda rng: datetime.datetime(2024, 3, 31) + datetime.timedelta(days=rng.randint(-3, 3)))
# Days and moments that no text of ten characters holds: computed, for they are no values of JSON.
BEYOND = ["+ INTERVAL '8000 years'", "- INTERVAL '2100 years'", "+ INTERVAL '1 day'", "- INTERVAL '1 month'"]
# What no literal is made of; a moment that is compared with one may be a parameter that keeps nanoseconds, and no year 1.
UNSAID = UNWRITTEN | {"timestamptz"}
NUMBERS = ["1.5", "0.5", "-0.25", "2.0", "100.0", "3.00"]


class Pushed:
    """A part of the builder."""

    def pushed(self):
        if self.chance(0.35):
            return self.probes()
        table, alias = self.rng.choice(self.tables), self.alias()
        scope = self.scope_of(table, alias)
        node, rows, others = Node(f"{table.name} AS {alias}"), table.size, []
        if self.chance(0.2):
            node, rows, others = self.pushed_join(table, alias, node)
        where = self.pushed_where([(table, scope), *others])
        everything = scope + [column for _, more in others for column in more]
        chosen = [scope[0]] + self.rng.sample(everything, min(len(everything), self.rng.choice([1, 2, 3, len(scope)])))
        chosen = list({column.sql(): column for column in chosen}.values())
        way = self.rng.choice(["rows", "rows", "rows", "rows", "count", "grouped"])
        items, group = [(Node(column.sql()), column.kind) for column in chosen], ""
        if way == "count":
            items = [(Node("count(*)"), BIGINT), *self.summaries(chosen)]
        if way == "grouped":
            # DuckDB groups by an expression of no column; a column stands for all.
            keys = [column for column in chosen if column.kind.group not in ("list", "struct", "interval")][:2]
            items = [(Node(column.sql()), column.kind) for column in keys] + [(Node("count(*)"), BIGINT)]
            group = f" GROUP BY {', '.join(column.sql() for column in keys)}"
        columns = [(f"c{index}", kind) for index, (_, kind) in enumerate(items)]
        listed = Many(", ", [Node(item, f" AS c{index}") for index, (item, _) in enumerate(items)], least=len(items))
        distinct = "DISTINCT " if way == "rows" and self.chance(0.06) and "list" not in {kind.group for _, kind in columns} else ""
        return Node(f"SELECT {distinct}", listed, " FROM ", node, where, group), columns, rows

    def probes(self):
        """Rows that meet one condition, once more those of another one, and so on: in each of them a mistake shows."""
        parts, rows = [], 0
        for number in range(self.rng.randint(3, 7)):
            table, alias = self.rng.choice(self.tables), self.alias()
            condition = self.pushed_condition(table, self.scope_of(table, alias), self.rng.choice([0, 0, 1]))
            parts.append(Node(f"SELECT {alias}.id * 10 + {number} AS c0 FROM {table.name} AS {alias} WHERE ", condition))
            rows += table.size
        return Node(Many(" UNION ALL ", parts)), [("c0", BIGINT)], rows

    def scope_of(self, table, alias):
        return Source(None, [(column.name, column.kind) for column in table.columns], table.size, True).scope(alias)

    def summaries(self, chosen):
        found = [(Node(f"count({column.sql()})"), BIGINT) for column in chosen]
        found += [(Node(f"{word}({column.sql()})"), column.kind) for column in chosen for word in ("min", "max")
                  if column.kind.group in ("int", "large", "text", "odd", "date", "far", "timestamp", "remote", "decimal", "deep", "float")]
        return self.rng.sample(found, min(3, len(found)))

    def pushed_join(self, table, alias, node):
        """A second table, tied by a key, so that what is known of one may be asked of the other."""
        other, name = self.rng.choice(self.tables), self.alias()
        if table.size * other.size > 1000_000:
            key = "id"
        else:
            key = self.rng.choice(["id", "id", "k", "g"]) if table.size * other.size < 10_000 else "id"
        word = self.rng.choice(["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN"])
        scope = self.scope_of(other, name)
        inner = Node(other.name)
        if self.chance(0.3):
            inner = Node(f"(SELECT * FROM {other.name}", self.pushed_where([(other, self.scope_of(other, other.name))]), ")")
        joined = Node(node, f" {word} ", inner, f" AS {name} ON {alias}.{key} = {name}.{key}")
        rows = max(table.size, other.size) if key == "id" else table.size * other.size
        return joined, rows, [(other, scope)]

    def pushed_where(self, sides):
        conditions = []
        for _ in range(self.rng.choice([1, 1, 1, 2, 2, 4])):
            table, scope = self.rng.choice(sides)
            conditions.append(self.pushed_condition(table, scope, self.rng.choice([0, 0, 1, 2])))
        where = [Maybe(" WHERE ", Many(" AND ", conditions))]
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            table, scope = self.rng.choice(sides)
            made = self.optional(table, scope)
            where[0].parts.append(made)
        return Node(*where)

    def optional(self, table, scope):
        """A clause that only a call with its values has."""
        self.optional_ones = True
        made = Clause("AND", self.pushed_condition(table, scope, self.rng.choice([0, 0, 1])))
        self.optional_ones = False
        # Without a placeholder nothing decides whether it applies.
        return made if made.parameters() else Node()

    # --- Conditions

    def pushed_condition(self, table, scope, depth):
        if depth > 0 and self.chance(0.7):
            return self.pushed_combination(table, scope, depth)
        usable = [column for column in scope if column.kind.group not in ("list", "struct", "interval")]
        texts = [column for column in usable if column.kind.written == "text"]
        column = self.rng.choice(texts if texts and self.chance(0.3) else usable)
        ways = [self.compared_by, self.compared_by, self.compared_by, self.within_two, self.in_items, self.in_items, self.nothing_there,
                self.other_type, self.computed_value, self.of_two_columns, self.matched, self.of_truth]
        made = None
        while made is None:
            made = self.rng.choice(ways)(table, column, scope)
        return Node("(", made, ")", instead=[Node("true"), Node("false")])

    def pushed_combination(self, table, scope, depth):
        parts = [self.pushed_condition(table, scope, depth - 1) for _ in range(self.rng.choice([1, 2, 2, 3, 6]))]
        word = self.rng.choice([" AND ", " OR ", " OR "])
        made = Node("(", Many(word, parts), ")")
        behind = self.rng.choice(["", "", "", " IS TRUE", " IS NOT TRUE", " IS NOT FALSE", " IS UNKNOWN"])
        if behind:
            made = Node("(", made, behind, ")", instead=[made])
        return Node("(NOT ", made, ")", instead=[made]) if self.chance(0.4) else made

    def kind_for(self, table, column):
        return near(table, next(own for own in table.columns if own.name == column.name))

    def operand(self, kind, null=0.05):
        """A literal, a parameter, or NULL in either form."""
        if self.chance(null):
            # A plain `TIMESTAMP` keeps nanoseconds there, and has no year 1.
            named = {"binary": "BYTEA", "timestamp": "TIMESTAMP(6)", "remote": "TIMESTAMP(6)"}
            return Node(f"CAST(NULL AS {named.get(kind.group, kind.sql.upper())})")
        if not self.optional_ones and self.chance(null):
            return Placeholder(self.names.parameter(kind, declared=True, nullable=True))
        value = kind.draw(self.rng)
        if self.chance(0.45) and kind.group not in UNSAID and is_plain(value):
            return Node(kinds.shared_literal(kind, value))
        return Placeholder(self.names.parameter(kind, declared=self.chance(0.4) or kind.group == "remote"))

    def compared_by(self, table, column, scope):
        sides = [Node(column.sql()), self.operand(self.kind_for(table, column))]
        if self.chance(0.3):
            sides.reverse()
        word = self.rng.choice(COMPARE + [" IS DISTINCT FROM ", " IS NOT DISTINCT FROM "])
        return Node(sides[0], f" {word.strip()} ", sides[1])

    def within_two(self, table, column, scope):
        kind = self.kind_for(table, column)
        word = self.rng.choice([" BETWEEN ", " BETWEEN ", " NOT BETWEEN "])
        if self.chance(0.3):
            one, other = self.rng.choice([(" >= ", " < "), (" > ", " <= "), (" <= ", " > "), (" >= ", " <= ")])
            return Node(column.sql(), one, self.operand(kind), self.rng.choice([" AND ", " OR "]), column.sql(), other, self.operand(kind))
        return Node(column.sql(), word, self.operand(kind), " AND ", self.operand(kind))

    def in_items(self, table, column, scope):
        kind, negated = self.kind_for(table, column), self.chance(0.4)
        word = " NOT IN (" if negated else " IN ("
        way = self.rng.choice(["list", "list", "long", "items", "items", "null", "many"])
        if way in ("list", "long"):
            names = self.names.parameter(kind, is_list=True, declared=self.chance(0.3), **({"sizes": LONG} if way == "long" else {}))
            return InList(Node(column.sql()), names, negated)
        if way == "many":
            values = [value for value in (kind.draw(self.rng) for _ in range(self.rng.choice([9, 40, 600]))) if is_plain(value)]
            if kind.group in UNSAID or len(values) < 2:
                return None
            return Node(column.sql(), word, Many(", ", [Node(kinds.shared_literal(kind, value)) for value in values]), ")")
        items = [self.operand(kind) for _ in range(self.rng.randint(1, 6))]
        if way == "null":
            items.insert(self.rng.randrange(len(items) + 1), self.operand(kind, 1.0))
        return Node(column.sql(), word, Many(", ", items), ")")

    def nothing_there(self, table, column, scope):
        return Node(column.sql(), self.rng.choice([" IS NULL", " IS NOT NULL"]))

    def other_type(self, table, column, scope):
        """Both sides of types that are not the same, or a column that is cast."""
        rng, group, word = self.rng, column.kind.group, f" {self.rng.choice(COMPARE)} "
        if group in ("int", "large"):
            narrow = group == "int" and all(value is None or abs(value) < 2**31 for value in table.rows[column.name])
            left = rng.choice([f"CAST({column.sql()} AS DOUBLE)", column.sql(), f"CAST({column.sql()} AS BIGINT)"]
                              + ([f"CAST({column.sql()} AS INT)"] if narrow else []))
            number = Node(f"CAST({kinds.quoted(repr(WILD.draw(rng)))} AS DOUBLE)") if self.chance(0.4) else \
                Placeholder(self.names.parameter(WILD, declared=True))
            if "AS BIGINT" in left or "AS INT" in left:
                number = Placeholder(self.names.parameter(self.kind_for(table, column), declared=True))
            elif group == "int" and self.chance(0.3):
                number = Node(rng.choice(NUMBERS))
            return Node(left, word, number)
        if group == "decimal":
            number = rng.choice([Placeholder(self.names.parameter(DIGITS, declared=True)), Node(rng.choice(NUMBERS)),
                                 Placeholder(self.names.parameter(SMALL, declared=True)), Node(str(rng.randint(-9, 99))),
                                 Node(kinds.shared_literal(DIGITS, DIGITS.draw(rng)))])
            return Node(column.sql(), word, number)
        if group in ("float", "deep"):
            edges = ["inf", "-inf", "-0.0"] + ([] if "nan" in self.without else ["nan"])
            return Node(column.sql(), word, rng.choice([
                Node(f"CAST({kinds.quoted(rng.choice(edges))} AS DOUBLE)"), Node(rng.choice(["0", "1", "-1", "2"])),
                Placeholder(self.names.parameter(SMALL, declared=True))]))
        if group in ("date", "far"):
            if self.chance(0.3):
                return Node(f"CAST({column.sql()} AS TEXT)", word, Node(kinds.quoted(str(column.kind.draw(rng)))))
            return Node(column.sql(), word, Placeholder(self.names.parameter(MIDNIGHT, declared=True)))
        if group == "timestamp":
            left = rng.choice([column.sql(), f"CAST({column.sql()} AS DATE)"])
            return Node(left, word, Placeholder(self.names.parameter(DATE, declared=True)))
        return None

    def computed_value(self, table, column, scope):
        """A value that qtool computes before it can be sent."""
        rng, group, word = self.rng, column.kind.group, f" {self.rng.choice(COMPARE)} "
        kind = self.kind_for(table, column)
        if group == "int":
            small = Placeholder(self.names.parameter(SMALL, declared=True))
            value = rng.choice([Node("(", small, " + 1)"), Node("(2 * ", small, " - 1)"), Node("abs(", small, ")"), Node("(1 + 1)")])
        elif group in ("text", "odd"):
            text = Placeholder(self.names.parameter(kind if group == "odd" else kinds.TEXT, declared=True))
            value = rng.choice([Node("(", text, " || '')"), Node("concat(", text, ", ' ')"), Node("coalesce(", text, ", 'a')")])
        elif group in ("date", "far"):
            day = Placeholder(self.names.parameter(DATE, declared=True))
            value = Node("CAST(", day, f" {rng.choice(BEYOND)} AS DATE)")
        elif group in ("timestamp", "remote"):
            value = Node("(", Placeholder(self.names.parameter(MIDNIGHT, declared=True)), f" {rng.choice(BEYOND)})")
        elif group in ("float", "deep"):
            value = Node("(", Placeholder(self.names.parameter(WILD, declared=True)), rng.choice([" * 2.0", " - 0.5", " * -1.0"]), ")")
        elif group == "decimal":
            value = Node("(", Placeholder(self.names.parameter(kinds.SCALARS["dec"], declared=True)), rng.choice([" + 1", " * 2"]), ")")
        else:
            return None
        sides = [Node(column.sql()), value]
        if self.chance(0.2):
            sides.reverse()
        return Node(sides[0], word, sides[1])

    def of_two_columns(self, table, column, scope):
        others = [other for other in scope if other.kind.group == column.kind.group and column.kind.group != "bool"]
        return Node(column.sql(), f" {self.rng.choice(COMPARE)} ", self.rng.choice(others).sql()) if others and self.chance(0.3) else None

    def matched(self, table, column, scope):
        return self.make.like([column], 0) if column.kind.group == "text" and self.chance(0.4) else None

    def of_truth(self, table, column, scope):
        if column.kind.group != "bool":
            return None
        behind = ["", "", " IS TRUE", " IS NOT TRUE", " IS FALSE", " IS NOT FALSE", " IS UNKNOWN", " = true", " <> true", " IN (true, NULL)",
                  " IN (false)", " NOT IN (true)", " = false"]
        made = Node(f"{column.sql()}{self.rng.choice(behind)}")
        if self.chance(0.3):
            made = Node(column.sql(), f" {self.rng.choice(COMPARE)} ", Placeholder(self.names.parameter(BOOLEAN, declared=self.chance(0.5))))
        return Node("NOT ", made) if self.chance(0.3) else made

    # --- Limits

    def cut(self, query):
        """A limit where nothing orders the rows: any of them may come."""
        query.cut = self.names.parameter(SMALL, declared=True) if self.chance(0.5) else self.rng.choice([0, 1, 2, 5, 50])
        return Cut(query)


class Cut(Node):
    """` LIMIT n` for qtool alone: DuckDB gives all rows, and those of qtool must be among them."""

    def __init__(self, query):
        super().__init__()
        self.query_cut = query.cut
        if not isinstance(query.cut, int):
            self.parts.append(Placeholder(query.cut))

    def ours(self):
        return f" LIMIT {self.query_cut if isinstance(self.query_cut, int) else self.parts[0].ours()}"

    def theirs(self, call):
        return ""


def is_plain(value):
    """Whether it can be written in a statement that people read: no control characters and nothing that cannot be seen."""
    if isinstance(value, str):
        return value.isprintable() and "\u200b" not in value and len(value) < 400
    if isinstance(value, (datetime.date, datetime.datetime)):
        return 1700 < value.year < 2250
    return not isinstance(value, bytes)
