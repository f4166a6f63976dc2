"""Selects with subqueries that go by the rows around them: lists in FROM, LATERAL, values with LIMIT or an inequality."""

from expressions import COMPARE, SMALL
from kinds import BIGINT, BOOLEAN, DOUBLE, TEXT
from query import InScope
from tree import Both, Many, Maybe, Node, Placeholder

# Lists with NULL, with nothing, with a NULL item and with equal items, of numbers and of records.
NUMBERS = Both("CASE WHEN id % 6 = 0 THEN NULL WHEN id % 6 = 1 THEN CAST(make_array() AS BIGINT[]) WHEN id % 6 = 2 THEN"
               " make_array(k, id, k) WHEN id % 6 = 3 THEN make_array(k) ELSE make_array(id % 4, 2, NULL, k, 3) END",
               "CASE WHEN id % 6 = 0 THEN NULL WHEN id % 6 = 1 THEN CAST([] AS BIGINT[]) WHEN id % 6 = 2 THEN"
               " [k, id, k] WHEN id % 6 = 3 THEN [k] ELSE [id % 4, 2, NULL, k, 3] END")
RECORDS = Both("CASE WHEN id % 5 = 0 THEN NULL WHEN id % 5 = 1 THEN make_array(named_struct('a', k, 'b', g), NULL)"
               " ELSE make_array(named_struct('a', id, 'b', g), named_struct('a', k, 'b', 'x')) END",
               "CASE WHEN id % 5 = 0 THEN NULL WHEN id % 5 = 1 THEN [{'a': k, 'b': g}, NULL]"
               " ELSE [{'a': id, 'b': g}, {'a': k, 'b': 'x'}] END")


class Dependent:
    """A part of the builder."""

    def dependent(self):
        ways = [self.items, self.items, self.records, self.latest, self.latest, self.values_of, self.values_of,
                self.conditions, self.counted, self.rows_of]
        return self.rng.choice(ways)()

    def few(self, lists=()):
        """Some rows of a table, with lists: the node, what is in scope, the name."""
        table, alias = self.rng.choice(self.tables), self.alias()
        scope = [InScope(alias, name, kind) for name, kind in (("id", BIGINT), ("k", BIGINT), ("g", TEXT), ("y", DOUBLE))]
        more = [Node(", ", made, f" AS {name}") for name, made in lists]
        limit = self.rng.choice([3, 12, 30])
        return Node("(SELECT id, k, g, y", *more, f" FROM {table.name} WHERE id <= {limit}) AS {alias}"), scope, alias

    def small(self):
        return Placeholder(self.names.parameter(SMALL, declared=True))

    def compared(self, column):
        return Node(f"{column} {self.rng.choice(COMPARE)} ", self.small())

    def kept(self, join, column):
        """How something lateral is joined, and with what behind it."""
        way = self.rng.choice([",", "CROSS JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "LEFT JOIN"])
        if way in (",", "CROSS JOIN"):
            return Node(f" {way} ", join)
        on = Node("true") if self.chance(0.6) else self.compared(column)
        return Node(f" {way} ", join, " ON ", on)

    # --- Lists

    def items(self):
        node, scope, outer = self.few([("xs", NUMBERS)])
        alias = self.alias()
        numbered = self.chance(0.4)
        word = "LATERAL " if self.chance(0.2) else ""
        names = "x, o" if numbered else "x"
        listed = Node(f"{word}unnest({outer}.xs){' WITH ORDINALITY' if numbered else ''} AS {alias}({names})")
        if self.chance(0.3):
            where = Maybe(" WHERE ", self.compared(f"s.{self.rng.choice(names.split(', '))}"))
            inner = Node(f"(SELECT {self.rng.choice(['', '', 'DISTINCT '])}* FROM unnest({outer}.xs)"
                         f"{' WITH ORDINALITY' if numbered else ''} AS s({names})", where, f") AS {alias}")
            listed = Node("LATERAL ", inner)
        own = [InScope(alias, name, BIGINT) for name in names.split(", ")]
        made = Node(node, self.kept(listed, own[0].sql()))
        items = [(Node(column.sql()), column.kind) for column in scope[:1] + own]
        if self.chance(0.25):
            items = [(Node(scope[2].sql()), TEXT), (Node(f"count({own[0].sql()})"), BIGINT), (Node(f"sum({own[0].sql()})"), BIGINT)]
            return self.finish(made, items, scope + own, 100, "", f" GROUP BY {scope[2].sql()}")
        return self.finish(made, items, scope + own, 100, "", "")

    def records(self):
        node, scope, outer = self.few([("rs", RECORDS)])
        alias = self.alias()
        made = Node(node, self.kept(Node(f"unnest({outer}.rs) AS {alias}(r)"), f"{alias}.r.a"))
        items = [(Node(scope[0].sql()), BIGINT), (Node(f"{alias}.r.a"), BIGINT), (Node(f"{alias}.r.b"), TEXT)]
        return self.finish(made, items, scope, 100, "", "")

    # --- Rows of another table

    def tied(self, outer):
        """A table, and how its rows are tied to those of another one."""
        node, scope, alias = self.few()
        ties = [f"{alias}.k {self.rng.choice(['=', '=', '<', '<=', '>', '<>'])} {outer}.k"]
        if self.chance(0.3):
            ties.append(self.rng.choice([f"{alias}.g = {outer}.g", f"{alias}.id + {outer}.id > 9", f"{outer}.id % 2 = 1"]))
        parts = [Node(tie) for tie in ties]
        if self.chance(0.4):
            parts.append(self.compared(f"{alias}.{self.rng.choice(['id', 'k'])}"))
        return Node(node, " WHERE ", Many(" AND ", parts)), scope, alias

    def first(self, outer, columns, most=None):
        """The first rows of another table."""
        source, _, alias = self.tied(outer)
        order = f"{alias}.y {self.rng.choice(['ASC', 'DESC'])} NULLS {self.rng.choice(['FIRST', 'LAST'])}, {alias}.id"
        limit = f" LIMIT {most or self.rng.choice([1, 1, 2, 3, 0])}"
        skip = f" OFFSET {self.rng.choice([0, 1, 2])}" if self.chance(0.2) else ""
        listed = ", ".join(f"{alias}.{name}" for name in columns)
        return Node(f"SELECT {listed} FROM ", source, f" ORDER BY {order}{limit}{skip}")

    def latest(self):
        node, scope, outer = self.few()
        alias = self.alias()
        names = ["id", "k", "y"] if self.chance(0.5) else ["id", "g"]
        join = Node("LATERAL (", self.first(outer, names), f") AS {alias}")
        of = {"id": BIGINT, "k": BIGINT, "y": DOUBLE, "g": TEXT}
        own = [InScope(alias, name, of[name]) for name in names]
        items = [(Node(column.sql()), column.kind) for column in scope[:2] + own]
        return self.finish(Node(node, self.kept(join, own[0].sql())), items, scope + own, 100, "", "")

    def aggregate_of(self, outer):
        source, _, alias = self.tied(outer)
        call, kind = self.rng.choice([("count(*)", BIGINT), (f"count({alias}.y)", BIGINT), (f"sum({alias}.id)", BIGINT),
                                      (f"max({alias}.y)", DOUBLE), (f"min({alias}.g)", TEXT),
                                      (f"count(DISTINCT {alias}.k)", BIGINT), (f"coalesce(sum({alias}.k), -1)", BIGINT),
                                      (f"max({alias}.k) + {outer}.id", BIGINT)])
        return Node("SELECT ", call, " FROM ", source), kind

    def of_list(self, outer):
        call, kind = self.rng.choice([("count(*)", BIGINT), ("count(x)", BIGINT), ("sum(x)", BIGINT), ("max(x)", BIGINT),
                                      (f"min(x + {outer}.id)", BIGINT)])
        return Node(f"SELECT {call} FROM unnest({outer}.xs) AS s(x)", Maybe(" WHERE ", self.compared("x"))), kind

    def one_value(self, outer):
        which = self.rng.choice(["first", "aggregate", "aggregate", "list", "within"])
        if which == "first":
            return Node("(", self.first(outer, ["id"], 1), ")"), BIGINT
        if which == "within":
            return Node("(", self.within(outer), ")"), BIGINT
        made, kind = self.aggregate_of(outer) if which == "aggregate" else self.of_list(outer)
        return Node("(", made, ")"), kind

    def within(self, outer):
        """Rows that go by the row around them from further inside: below a window, an outer join, an aggregate, a query."""
        source, _, alias = self.tied(outer)
        way = self.rng.choice(["window", "joined", "grouped", "counted", "inner"])
        if way == "window":
            call = self.rng.choice([f"row_number() OVER (ORDER BY {alias}.id)", "count(*) OVER ()",
                                    f"sum({alias}.k) OVER (ORDER BY {alias}.id)"])
            return Node(f"SELECT {self.rng.choice(['max', 'sum', 'count'])}(x) FROM (SELECT {call} AS x FROM ", source, ") AS w")
        if way == "joined":
            left, _, other = self.few()
            join = self.rng.choice(["LEFT JOIN", "LEFT JOIN", "JOIN"])
            call = self.rng.choice(["count(*)", "count(w.id)", f"sum({other}.id)", "sum(w.k)"])
            on = self.rng.choice([f"w.id = {other}.id", f"w.k < {other}.k", f"w.k = {other}.k"])
            return Node(f"SELECT {call} FROM ", left, f" {join} (SELECT {alias}.id, {alias}.k FROM ", source, f") AS w ON {on}")
        if way == "grouped":
            call = self.rng.choice(["sum(n)", "count(*)", "max(n)"])
            return Node(f"SELECT {call} FROM (SELECT {alias}.g, count(*) AS n FROM ", source, f" GROUP BY {alias}.g) AS w")
        if way == "counted":
            call = self.rng.choice(["sum(n)", "count(*)", "min(n)", "coalesce(max(n), -1)"])
            return Node(f"SELECT {call} FROM (SELECT count(*) AS n FROM ", source, ") AS w")
        inner, _, other = self.few()
        call = self.rng.choice(["sum", "max", "count"])
        tie = self.rng.choice([f"{other}.k = {alias}.k", f"{other}.id <= {alias}.id", f"{other}.k = {outer}.k AND {other}.id = {alias}.id"])
        return Node(f"SELECT {call}((SELECT count(*) FROM ", inner, f" WHERE {tie})) FROM ", source)

    def values_of(self):
        node, scope, outer = self.few([("xs", NUMBERS)])
        items = [(Node(scope[0].sql()), BIGINT)] + [self.one_value(outer) for _ in range(self.rng.choice([1, 1, 2]))]
        if self.chance(0.4):
            value, kind = self.one_value(outer)
            compared = Placeholder(self.names.parameter(kind, declared=True))
            here = Node(value, f" {self.rng.choice(COMPARE)} ", compared)
            columns = [(f"c{index}", kind) for index, (_, kind) in enumerate(items)]
            listed = Many(", ", [Node(item, f" AS c{index}") for index, (item, _) in enumerate(items)], least=len(items))
            return Node("SELECT ", listed, " FROM ", node, Maybe(" WHERE ", here)), columns, 30
        return self.finish(node, items, scope, 30, "", "")

    def condition_of(self, outer):
        negated = self.rng.choice(["", "NOT "])
        way = self.rng.choice(["list", "list", "in", "first"])
        if way == "list":
            return Node(f"{negated}EXISTS (SELECT 1 FROM unnest({outer}.xs) AS s(x)", Maybe(" WHERE ", self.compared("s.x")), ")")
        if way == "in":
            return Node(f"{outer}.{self.rng.choice(['id', 'k'])} {negated}IN (SELECT x FROM unnest({outer}.xs) AS s(x))")
        return Node(f"{negated}EXISTS (", self.first(outer, ["id"]), ")")

    def conditions(self):
        node, scope, outer = self.few([("xs", NUMBERS)])
        if self.chance(0.4):
            items = [(Node(scope[0].sql()), BIGINT), (Node("(", self.condition_of(outer), ")"), BOOLEAN)]
            return self.finish(node, items, scope, 30, "", "")
        word = self.rng.choice([" AND ", " OR "])
        here = Many(word, [Node("(", self.condition_of(outer), ")") for _ in range(self.rng.choice([1, 1, 2]))])
        return Node("SELECT ", scope[0].sql(), " AS c0 FROM ", node, " WHERE ", here), [("c0", BIGINT)], 30

    def counted(self):
        """Rows that an aggregate makes of another table's."""
        node, scope, outer = self.few()
        alias = self.alias()
        source, _, inner = self.tied(outer)
        listed = f"count(*) AS n, max({inner}.y) AS m, sum({inner}.id) AS s"
        group = self.rng.choice(["", "", f" GROUP BY {inner}.g", f" HAVING count(*) > {self.rng.choice([0, 1, 2])}"])
        join = Node(f"LATERAL (SELECT {listed} FROM ", source, group, f") AS {alias}")
        own = [InScope(alias, "n", BIGINT), InScope(alias, "m", DOUBLE), InScope(alias, "s", BIGINT)]
        items = [(Node(column.sql()), column.kind) for column in scope[:1] + own]
        return self.finish(Node(node, self.kept(join, own[0].sql())), items, scope + own, 100, "", "")

    def rows_of(self):
        """Columns as rows, and rows with numbers of their own."""
        node, scope, outer = self.few()
        alias = self.alias()
        if self.chance(0.4):
            join = Node(f"LATERAL (VALUES ({outer}.id), ({outer}.k), (7)) AS {alias}(x)")
        else:
            source, _, inner = self.tied(outer)
            order = f"ORDER BY {inner}.id"
            listed = self.rng.choice([f"{inner}.id + row_number() OVER ({order})", f"{inner}.id - {outer}.id", f"{outer}.k"])
            join = Node(f"LATERAL (SELECT {self.rng.choice(['', 'DISTINCT '])}{listed} AS x FROM ", source, f") AS {alias}")
        own = [InScope(alias, "x", BIGINT)]
        items = [(Node(column.sql()), column.kind) for column in scope[:1] + own]
        return self.finish(Node(node, self.kept(join, own[0].sql())), items, scope + own, 100, "", "")
