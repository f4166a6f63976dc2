"""Kinds of selects that plan rules of qtool's own take part in, each by itself."""

import decimal

import kinds
from expressions import COMPARE, SMALL
from kinds import BIGINT, BOOLEAN, DATE, DOUBLE, TIMESTAMP, Kind
from query import InScope
from tree import Many, Maybe, Node, Placeholder

HALVES = Kind("float", "double", "DOUBLE", DOUBLE.arrow,
              lambda rng: rng.choice([0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 0.25, -1.25, 2.0, 3.7]))
HALF_AMOUNTS = Kind("decimal", "decimal(10,2)", "DECIMAL(10,2)", kinds.SCALARS["dec"].arrow, lambda rng: decimal.Decimal(
    rng.choice(["0.50", "-0.50", "1.50", "2.50", "-2.50", "0.45", "-0.45", "0.49", "0.05", "-1.25", "3.00"])))
# The last digits may differ: neither an order nor a comparison may hang on them.
ROUNDED = Kind("rounded", "double", "DOUBLE", DOUBLE.arrow, DOUBLE.draw)
TENTHS = Kind("decimal", "decimal(12,1)", "DECIMAL(12,1)", kinds.pa.decimal128(12, 1), kinds.amount(4, 1))
WHOLE = Kind("decimal", "decimal(12,0)", "DECIMAL(12,0)", kinds.pa.decimal128(12, 0), kinds.amount(3, 0))
# Columns made of those that every table has: doubles with what is no number, large ones of one sign (whose sums are the
# same in any order), large whole numbers, days and times.
MADE = {
    "wild": (DOUBLE, "CASE WHEN id % 13 = 5 THEN CAST('nan' AS DOUBLE) WHEN id % 17 = 3 THEN CAST('inf' AS DOUBLE)"
                     " WHEN id % 19 = 7 THEN CAST('-inf' AS DOUBLE) WHEN id % 5 = 0 THEN (1 + k % 3) * 1e18 ELSE y END"),
    "tall": (DOUBLE, "CASE WHEN id % 6 = 2 THEN (1 + k % 3) * 1e18 WHEN id % 11 = 4 THEN NULL ELSE y END"),
    "large": (BIGINT, "(k % 9) * 1000000000000000000 + id"),
    "halves": (DOUBLE, "floor(CAST(y AS DOUBLE)) + 0.5"),
    "day": (DATE, "CASE WHEN id % 4 = 1 THEN CAST('2024-02-29' AS DATE) WHEN k % 3 = 1 THEN CAST('2024-01-31' AS DATE)"
                  " WHEN k IS NULL THEN NULL ELSE CAST('2023-12-31' AS DATE) END"),
    "moment": (TIMESTAMP, "CASE WHEN id % 5 = 1 THEN CAST('2024-03-01T00:00:00' AS TIMESTAMP) WHEN k % 4 = 1 THEN"
                          " CAST('2024-02-29T12:00:00' AS TIMESTAMP) WHEN k IS NULL THEN NULL"
                          " ELSE CAST('2024-01-01T00:00:00.000001' AS TIMESTAMP) END"),
}


class Merged(InScope):
    """A column that a join has made of two."""

    def sql(self):
        return self.name


class More:
    """A part of the builder."""

    def special(self):
        kinds_of = {"using": self.using, "frames": self.frames, "casts": self.casts, "percentiles": self.percentiles,
                    "days": self.days, "means": self.means, "dependent": self.dependent, "spelled": self.spelled}
        if "pushed" in self.only:
            kinds_of["pushed"] = self.pushed
        return kinds_of[self.rng.choice(sorted(self.only & set(kinds_of)) or sorted(kinds_of))]()

    def made(self, names):
        """A table with some of the columns above: the node, what is in scope, the rows."""
        table, alias = self.rng.choice(self.tables), self.alias()
        plain = [column for column in table.columns if column.kind.group != "interval"]
        columns = ", ".join([column.name for column in plain] + [f"{MADE[name][1]} AS {name}" for name in names])
        scope = [InScope(alias, column.name, column.kind) for column in plain]
        scope += [InScope(alias, name, MADE[name][0]) for name in names]
        return Node(f"(SELECT {columns} FROM {table.name}) AS {alias}"), scope, table.size

    # --- Joins by names

    def using(self):
        keys = self.rng.choice([["id"], ["id"], ["k"], ["g"], ["id", "k"], ["k", "g"]])
        natural, star = self.chance(0.3), self.chance(0.25)
        tables = [self.rng.choice(self.tables) for _ in range(self.rng.choice([2, 2, 3]))]
        if "id" not in keys and max(table.size for table in tables) > 40:
            keys = ["id"]
        parts, scope = [], [Merged("", name, kinds.SCALARS[{"id": "i64", "k": "i64", "g": "text"}[name]]) for name in keys]
        for number, table in enumerate(tables):
            alias = self.alias()
            others = [column for column in table.columns if column.name not in keys]
            own = [(column.name, column.kind) for column in others]
            source = table.name
            if natural or star:
                own = [(f"{column.name}{number}", column.kind) for column in others]
                # A column may be called `interval`.
                renamed = [f"s.{column.name} AS {name}" for column, (name, _) in zip(others, own)]
                source = f"(SELECT {', '.join(keys + renamed)} FROM {table.name} AS s)"
            scope += [InScope(alias, name, kind) for name, kind in own]
            if not parts:
                parts.append(Node(f"{source} AS {alias}"))
                continue
            word = self.rng.choice(["INNER", "LEFT", "RIGHT", "FULL"])
            parts.append(Node(f" NATURAL {word} JOIN {source} AS {alias}" if natural else
                              f" {word} JOIN {source} AS {alias} USING ({', '.join(keys)})"))
        node, rows = Node(parts[0], Many("", parts[1:])), max(table.size for table in tables)
        rows = rows if "id" in keys else min(20_000, rows ** 2)
        if star:
            columns = [(column.name, column.kind) for column in scope]
            return Node("SELECT * FROM ", node, self.where(scope[:len(keys)] * 3 + scope)), columns, rows
        # Conditions are about the columns of two sides more often than about others.
        merged = scope[:len(keys)]
        scope = merged * 3 + scope
        if self.chance(0.4):
            groups = [(Node(column.sql()), column.kind) for column in merged]
            counts = [(Node(f"count({self.rng.choice(scope).sql()})"), BIGINT), (Node(f"count({merged[0].sql()})"), BIGINT)]
            group = Node(" GROUP BY ", Many(", ", [key for key, _ in groups], least=len(groups)))
            return self.finish(node, groups + counts, scope, rows, "", group)
        if self.chance(0.2):
            return self.finish(node, [(Node(f"count({column.sql()})"), BIGINT) for column in merged + [self.rng.choice(scope)]],
                               scope, 1, "", "")
        items = [(Node(column.sql()), column.kind) for column in merged + self.rng.sample(scope, 2)]
        items.append(self.make.value(merged, merged[0].kind.group, 2))
        return self.finish(node, items, scope, rows, "", "")

    # --- Sliding frames

    def frame(self):
        bounds = ["UNBOUNDED PRECEDING", *(f"{number} PRECEDING" for number in (100, 5, 2, 1)), "CURRENT ROW",
                  *(f"{number} FOLLOWING" for number in (1, 2, 5, 100)), "UNBOUNDED FOLLOWING"]
        begin = self.rng.randrange(len(bounds) - 1)
        end = self.rng.randrange(max(1, begin), len(bounds))
        return f"{bounds[begin]} AND {bounds[end]}"

    def frames(self):
        node, scope, rows = self.made(["wild", "tall"])
        of = {column.name: column.sql() for column in scope}
        items = [(Node(of["id"]), BIGINT)]
        for _ in range(self.rng.randint(1, 3)):
            unit = self.rng.choice(["ROWS", "ROWS", "RANGE", "GROUPS"])
            # A tie has its rows in whatever order, but lies within a frame as a whole.
            key = of["id"] if unit == "ROWS" or self.chance(0.5) else of["k"]
            order = f"{key}{self.rng.choice(['', ' DESC'])} NULLS LAST"
            part = f"PARTITION BY {of[self.rng.choice(['k', 'g'])]} " if self.chance(0.5) else ""
            # What the deviation of an infinity is, DuckDB does not say: it fails.
            call = self.rng.choice([f"{name}({of[column]})" for name in ("sum", "avg", "min", "max", "count")
                                    for column in ("wild", "tall", "y")]
                                   + [f"{name}({of[column]})" for name in ("stddev_samp", "stddev_pop", "var_samp", "var_pop")
                                      for column in ("tall", "y")]
                                   + [f"{name}({of['y']}, {of['tall']})" for name in ("corr", "covar_pop", "covar_samp")])
            items.append((Node(f"{call} OVER ({part}ORDER BY {order} {unit} BETWEEN {self.frame()})"),
                          BIGINT if call.startswith("count") else ROUNDED))
        return self.finish(node, items, scope, rows, "", "")

    # --- Halves

    def cast_of(self, scope):
        of = {column.name: column.sql() for column in scope}
        if self.chance(0.5):
            value = self.rng.choice([Node(of["y"]), Node(of["halves"]), Node(f"({of['y']} * 0.5)"),
                                     Placeholder(self.names.parameter(HALVES, declared=True))])
        else:
            amounts = [Node(column.sql()) for column in scope if column.kind.group == "decimal"]
            value = self.rng.choice(amounts + [Node(f"CAST({of['y']} AS DECIMAL(12,2))"),
                                               Placeholder(self.names.parameter(HALF_AMOUNTS, declared=True))])
        kind = self.rng.choice([BIGINT, BIGINT, kinds.SCALARS["i32"], TENTHS, WHOLE])
        return Node("CAST(", value, f" AS {kind.sql.upper()})"), kind

    def casts(self):
        node, scope, rows = self.made(["halves"])
        items = [(Node(scope[0].sql()), BIGINT)] + [self.cast_of(scope) for _ in range(2)]
        value, kind = self.cast_of(scope)
        compared = Placeholder(self.names.parameter(kind, declared=True))
        if self.chance(0.3):
            compared = self.cast_of(scope)[0]
        items.append((Node("(", value, f" {self.rng.choice(COMPARE)} ", compared, ")"), BOOLEAN))
        value, kind = self.cast_of(scope)
        here = Node(value, f" {self.rng.choice(COMPARE)} ", Placeholder(self.names.parameter(kind, declared=True)))
        columns = [(f"c{index}", kind) for index, (_, kind) in enumerate(items)]
        listed = Many(", ", [Node(item, f" AS c{index}") for index, (item, _) in enumerate(items)], least=len(items))
        return Node("SELECT ", listed, " FROM ", node, Maybe(" WHERE ", here)), columns, rows

    # --- Aggregates

    def percentile(self, scope):
        column = self.rng.choice([column for column in scope if column.name in ("y", "tall", "halves", "k")]).sql()
        filter_ = Maybe(" FILTER (WHERE ", self.make.condition(scope, 0), ")") if self.chance(0.2) else Node()
        if self.chance(0.3):
            return Node(f"median(CAST({column} AS DOUBLE))", filter_), ROUNDED
        share = self.rng.choice(["0", "0.1", "0.25", "0.5", "0.75", "0.9", "1"])
        # The first of a falling order is the least one to DuckDB.
        order = self.rng.choice(["", " ASC", " DESC", " DESC"]) if share != "0" else ""
        return Node(f"percentile_cont({share}) WITHIN GROUP (ORDER BY CAST({column} AS DOUBLE){order})", filter_), ROUNDED

    def percentiles(self):
        node, scope, rows = self.made(["tall", "halves"])
        return self.by_a_key(node, scope, rows, [self.percentile(scope) for _ in range(self.rng.randint(1, 3))])

    def means(self):
        node, scope, rows = self.made(["large"])
        filter_ = Maybe(" FILTER (WHERE ", self.make.condition(scope, 0), ")") if self.chance(0.2) else Node()
        items = [(Node(f"avg({scope[-1].sql()})", filter_), ROUNDED)]
        for column in self.make.columns(scope, {"int"})[:2]:
            items.append((Node(f"avg({self.rng.choice(['', 'DISTINCT '])}{column.sql()})"), ROUNDED))
        return self.by_a_key(node, scope, rows, items)

    def by_a_key(self, node, scope, rows, items):
        if self.chance(0.3):
            return self.finish(node, items, scope, 1, "", "")
        key = next(column for column in scope if column.name == self.rng.choice(["k", "g"]) or column.name == "g")
        return self.finish(node, [(Node(key.sql()), key.kind), *items], scope, rows, "", f" GROUP BY {key.sql()}")

    # --- Days

    def a_day(self, scope):
        days = [Node(column.sql()) for column in self.make.columns(scope, {"date"})]
        return self.rng.choice(days + days + [Placeholder(self.names.parameter(DATE, declared=True)),
                                              Node(kinds.shared_literal(DATE, kinds.day(self.rng)))])

    def day_condition(self, scope):
        rng = self.rng
        column = Node(rng.choice(self.make.columns(scope, {"date"})).sql())
        word = f" {rng.choice(COMPARE)} "
        if self.chance(0.5):
            number = Node(str(rng.choice([0, 1, 29, 60, 366]))) if self.chance(0.5) else \
                Placeholder(self.names.parameter(SMALL, declared=True))
            left = [column, self.a_day(scope)]
            if self.chance(0.5):
                left.reverse()
            if self.chance(0.3):
                return Node("(", left[0], " - ", left[1], rng.choice([" BETWEEN ", " NOT BETWEEN "]), "0 AND ", number, ")")
            return Node("(", left[0], " - ", left[1], word, number, ")")
        span = rng.choice(["1 day", "2 days", "1 month", "7 days", "1 week", "1 hour", "36 hours", "24 hours", "-1 day",
                           "1 day 12 hours", "90 minutes"])
        moments = [Node(item.sql()) for item in self.make.columns(scope, {"timestamp"})]
        other = rng.choice(moments + [Placeholder(self.names.parameter(TIMESTAMP, declared=True)),
                                      Node(kinds.shared_literal(TIMESTAMP, TIMESTAMP.draw(rng)))])
        sides = [Node(column, f" {rng.choice('+-')} INTERVAL '{span}'"), other]
        if self.chance(0.3):
            sides.reverse()
        return Node("(", sides[0], word, sides[1], ")")

    def days(self):
        node, scope, rows = self.made(["day", "moment"])
        items = [(Node(scope[0].sql()), BIGINT)] + [(self.day_condition(scope), BOOLEAN) for _ in range(2)]
        columns = [(f"c{index}", kind) for index, (_, kind) in enumerate(items)]
        listed = Many(", ", [Node(item, f" AS c{index}") for index, (item, _) in enumerate(items)], least=2)
        return Node("SELECT ", listed, " FROM ", node, Maybe(" WHERE ", self.day_condition(scope))), columns, rows

    # --- Orders

    def by_expressions(self, query):
        """A select that is ordered by what is not in the result; at the end by `id`, which is its first column."""
        node, scope, rows = self.made([])
        items = [(Node(scope[0].sql()), BIGINT)] + [(Node(column.sql()), column.kind) for column in self.rng.sample(scope, 2)]
        keys = []
        for _ in range(self.rng.randint(1, 2)):
            column = self.make.column(scope, {"int", "float", "text", "date", "timestamp"})
            value = self.make.value(scope, column.kind.group, 2)[0]
            keys.append(Node(value, f" {self.rng.choice(['ASC', 'DESC'])} NULLS {self.rng.choice(['FIRST', 'LAST'])}"))
        columns = [(f"c{index}", kind) for index, (_, kind) in enumerate(items)]
        listed = ", ".join(f"{item.ours()} AS c{index}" for index, (item, _) in enumerate(items))
        query.order = [0]
        made = Node(f"SELECT {listed} FROM ", node, self.where(scope), " ORDER BY ", Many(", ", keys), f", {scope[0].sql()}")
        return made, columns, rows
