"""Random expressions and conditions over the columns in scope, in what both engines mean alike.

`differences.md` lists what is left out, and why.
"""

import kinds
from kinds import BIGINT, DOUBLE, TEXT, Kind
from tree import HasItem, InList, Many, Node, Placeholder

COMPARE = ["=", "=", "<>", "<", "<=", ">", ">="]
UNITS = ["year", "month", "week", "day", "hour", "minute"]
PARTS = ["year", "month", "day", "quarter", "doy"]
DAYS = Kind("interval", "interval", "INTERVAL", kinds.INTERVAL.arrow,
            lambda rng: rng.choice([(0, 1, 0), (0, 31, 0), (1, 0, 0), (0, -7, 0), (12, 0, 0)]))
SMALL = Kind("int", "bigint", "BIGINT", BIGINT.arrow, lambda rng: rng.choice([0, 1, 2, 3, 5, 10]))
PATTERN = Kind("text", "text", "VARCHAR", TEXT.arrow, lambda rng: rng.choice(["%", "a%", "%b", "_", "a_%", "", "é%", "%%"]))
NEEDLE = Kind("text", "text", "VARCHAR", TEXT.arrow, lambda rng: rng.choice(["a", "b", "", "é", " ", "zz", "日"]))
ORDERED = {"int", "float", "decimal", "text", "date", "time", "timestamp", "timestamptz", "bool",
           "large", "deep", "far", "remote", "odd"}
# DataFusion's times have another unit where they are written in the statement, and no year 1.
UNWRITTEN = {"time", "remote", "binary"}


class Expressions:
    """Draws expressions. `names` gives parameters, `rng` all chance, `without` what is not tried."""

    def __init__(self, rng, names, without):
        self.rng = rng
        self.names = names
        self.without = without

    def chance(self, share):
        return self.rng.random() < share

    # --- Values

    def columns(self, scope, groups):
        return [column for column in scope if column.kind.group in groups]

    def column(self, scope, groups):
        found = self.columns(scope, groups)
        return self.rng.choice(found) if found else None

    def value(self, scope, group, depth=1):
        """An expression of a group of types, and its kind; `None` where there is none."""
        column = self.column(scope, {group})
        simple = Node(column.sql()) if column else None
        if depth <= 0 or self.chance(0.4):
            return (simple, column.kind) if column else self.constant(group)
        made = getattr(self, f"some_{group}", self.nothing)(scope, depth - 1)
        if made is None:
            return (simple, column.kind) if column else self.constant(group)
        node, kind = made
        if simple is not None and column.kind.group == kind.group:
            node.instead.append(simple)
        return node, kind

    def nothing(self, scope, depth):
        return None

    def constant(self, group):
        kind = next((kind for kind in kinds.SCALARS.values() if kind.group == group), None)
        if kind is None:
            return None
        kind = {"int": BIGINT, "float": DOUBLE}.get(group, kind)
        if group == "interval" or self.chance(0.5):
            return Node(kinds.shared_literal(kind, kind.draw(self.rng))), kind
        return Node(Placeholder(self.names.parameter(kind, declared=True))), kind

    def big(self, scope, depth):
        """Whole numbers are added as `bigint`, for the engines wrap or fail at other widths."""
        node, kind = self.value(scope, "int", depth)
        return Node("CAST(", node, " AS BIGINT)")

    def some_int(self, scope, depth):
        rng = self.rng
        column = self.column(scope, {"text", "date", "timestamp"})
        which = rng.choice(["sum", "sum", "parameter", "abs", "case", "coalesce", "modulo", "of"])
        one = self.big(scope, depth)
        if which == "sum":
            return Node("(", one, rng.choice([" + ", " - "]), str(rng.randint(1, 9)), ")"), BIGINT
        if which == "parameter":
            parameter = self.names.parameter(SMALL, declared=self.chance(0.7))
            return Node("(", one, rng.choice([" + ", " - ", " * "]), Placeholder(parameter), ")"), BIGINT
        if which == "abs":
            return Node("abs(", one, ")"), BIGINT
        if which == "modulo":
            return Node("(", one, " % ", str(rng.choice([2, 3, 7])), ")"), BIGINT
        if which == "case":
            condition = self.condition(scope, 0)
            return Node("CASE WHEN ", condition, " THEN ", one, " ELSE ", self.big(scope, 0), " END"), BIGINT
        if which == "coalesce":
            return Node("coalesce(", one, ", ", self.big(scope, 0), ", 0)"), BIGINT
        if column is None:
            return Node("nullif(", one, ", ", str(rng.randint(0, 5)), ")"), BIGINT
        if column.kind.group == "text":
            return Node(f"length({column.sql()})"), BIGINT
        return Node(f"extract({rng.choice(PARTS)} FROM {column.sql()})"), BIGINT

    def some_float(self, scope, depth):
        rng = self.rng
        node, _ = self.value(scope, "float", depth)
        one = Node("CAST(", node, " AS DOUBLE)")
        which = rng.choice(["sum", "parameter", "round", "cast", "coalesce", "case"])
        if which == "sum":
            other = Node("CAST(", self.value(scope, "float", 0)[0], " AS DOUBLE)")
            return Node("(", one, rng.choice([" + ", " - ", " * "]), other, ")"), DOUBLE
        if which == "parameter":
            return Node("(", one, " + ", Placeholder(self.names.parameter(DOUBLE, declared=True)), ")"), DOUBLE
        if which == "round":
            return Node(rng.choice(["abs", "floor", "ceil"]), "(", one, ")"), DOUBLE
        if which == "cast":
            return Node("CAST(", self.big(scope, 0), " AS DOUBLE)"), DOUBLE
        if which == "coalesce":
            return Node("coalesce(", one, ", 1.5)"), DOUBLE
        return Node("CASE WHEN ", self.condition(scope, 0), " THEN ", one, " END"), DOUBLE

    def some_decimal(self, scope, depth):
        column = self.column(scope, {"decimal"})
        if column is None:
            return None
        if self.chance(0.3):
            return self.exact(column, scope), column.kind
        if self.chance(0.5):
            parameter = self.names.parameter(kinds.SCALARS["dec"], declared=True)
            return Node("(", column.sql(), " + ", Placeholder(parameter), ")"), column.kind
        return Node(f"coalesce(-{column.sql()}, ", kinds.shared_literal(column.kind, column.kind.draw(self.rng)), ")"), column.kind

    def exact(self, column, scope):
        """A decimal and a number with a point, which both take for a decimal."""
        rng = self.rng
        number = rng.choice(["1.1", "0.5", "0.05", "12.125", "100.0", "(1 - 0.05)", "0.001"])
        how = rng.choice(["*", "*", "+", "-", "coalesce", "case", "compared"])
        if how == "coalesce":
            return Node(f"coalesce({column.sql()}, {number})")
        if how == "case":
            return Node("CASE WHEN ", self.condition(scope, 0), f" THEN {column.sql()} ELSE {number} END")
        if how == "compared":
            return Node(f"CASE WHEN {column.sql()} * {number} >= {rng.choice(['11.11', '0.5', '-3.3'])} THEN {column.sql()} END")
        return Node(*rng.choice([("(", column.sql(), f" {how} {number})"), ("(", f"{number} {how} ", column.sql(), ")")]))

    def some_text(self, scope, depth):
        rng = self.rng
        node, _ = self.value(scope, "text", depth)
        which = rng.choice(["upper", "lower", "both", "part", "replace", "trim", "concat", "coalesce", "case"])
        if which in ("upper", "lower"):
            return Node(which, "(", node, ")"), TEXT
        if which == "both":
            return Node("(", node, " || ", Placeholder(self.names.parameter(TEXT, declared=True)), ")"), TEXT
        if which == "part":
            return Node("substr(", node, f", {rng.randint(1, 3)}, {rng.randint(0, 3)})"), TEXT
        if which == "replace":
            return Node("replace(", node, ", 'a', ", Placeholder(self.names.parameter(TEXT, declared=True)), ")"), TEXT
        if which == "trim":
            return Node("trim(", node, ")"), TEXT
        if which == "concat":
            return Node("concat(", node, ", '-', ", self.value(scope, "text", 0)[0], ")"), TEXT
        if which == "coalesce":
            return Node("coalesce(", node, ", ", Placeholder(self.names.parameter(TEXT)), ")"), TEXT
        return Node("CASE WHEN ", self.condition(scope, 0), " THEN ", node, " ELSE 'else' END"), TEXT

    def some_date(self, scope, depth):
        column = self.column(scope, {"date"})
        if column is None or self.chance(0.3):
            moment = self.column(scope, {"timestamp"})
            return (Node(f"CAST({moment.sql()} AS DATE)"), kinds.DATE) if moment else None
        if self.chance(0.5):
            return Node(f"CAST({column.sql()} + ", Placeholder(self.names.parameter(DAYS, declared=True)), " AS DATE)"), kinds.DATE
        return Node(f"CAST(date_trunc('{self.rng.choice(UNITS[:4])}', {column.sql()}) AS DATE)"), kinds.DATE

    def some_timestamp(self, scope, depth):
        column = self.column(scope, {"timestamp"})
        if column is None:
            return None
        if self.chance(0.5):
            return Node(f"date_trunc('{self.rng.choice(UNITS)}', {column.sql()})"), kinds.TIMESTAMP
        return Node(f"({column.sql()} + ", Placeholder(self.names.parameter(kinds.INTERVAL, declared=True)), ")"), kinds.TIMESTAMP

    def some_timestamptz(self, scope, depth):
        column = self.column(scope, {"timestamptz"})
        if column is None or "zones" in self.without:
            return None
        return Node(f"date_trunc('{self.rng.choice(UNITS)}', {column.sql()})"), kinds.TIMESTAMPTZ

    def some_interval(self, scope, depth):
        one, other = self.column(scope, {"timestamp"}), self.column(scope, {"timestamp"})
        if one is None:
            return None
        return Node(f"({one.sql()} - {other.sql()})"), kinds.INTERVAL

    def some_bool(self, scope, depth):
        return self.condition(scope, depth), kinds.BOOLEAN

    # --- Conditions

    def condition(self, scope, depth):
        """A condition in brackets."""
        if depth > 0 and self.chance(0.45):
            return self.combined(scope, depth)
        made = None
        while made is None:
            made = self.rng.choice([self.comparison, self.comparison, self.comparison, self.between, self.in_list, self.in_list,
                                    self.is_null, self.like, self.distinct, self.of_boolean, self.list_has, self.of_zone,
                                    self.of_interval, self.of_columns])(scope, depth)
        return Node("(", made, ")", instead=[Node("true"), Node("false")])

    def combined(self, scope, depth):
        which = self.rng.choice(["and", "or", "not", "true", "coalesce"])
        one = self.condition(scope, depth - 1)
        if which == "not":
            return Node("(NOT ", one, ")", instead=[one])
        if which == "true":
            return Node("(", one, self.rng.choice([" IS TRUE", " IS NOT TRUE", " IS FALSE", " IS NOT FALSE", " IS UNKNOWN"]), ")",
                        instead=[one])
        if which == "coalesce":
            return Node("coalesce(", one, ", ", self.rng.choice(["true", "false"]), ")", instead=[one])
        other = self.condition(scope, depth - 1)
        return Node("(", Many(f" {which.upper()} ", [one, other]), ")")

    def side(self, kind):
        """What a column is compared with."""
        if self.chance(0.7) and kind.group != "interval" or kind.group in UNWRITTEN:
            # Beside a column the type is inferred.
            return Placeholder(self.names.parameter(kind, declared=self.chance(0.3)))
        return Node(kinds.shared_literal(kind, kind.draw(self.rng)))

    def comparison(self, scope, depth):
        column = self.column(scope, ORDERED)
        if column is None:
            return None
        node, kind = Node(column.sql()), column.kind
        if depth > 0 and self.chance(0.3):
            node, kind = self.value(scope, column.kind.group, depth)
            right = self.side(kind) if kind.group in UNWRITTEN else Node(kinds.shared_literal(kind, kind.draw(self.rng)))
        else:
            right = self.side(kind)
        if self.chance(0.15):
            node, right = right, node
        return Node(node, f" {self.rng.choice(COMPARE)} ", right)

    def of_columns(self, scope, depth):
        one = self.column(scope, ORDERED)
        if one is None:
            return None
        like = {"int", "float", "decimal"} if one.kind.group in ("int", "float", "decimal") else {one.kind.group}
        if "decimals" in self.without and one.kind.group in ("float", "decimal"):
            like = {one.kind.group}
        return Node(one.sql(), f" {self.rng.choice(COMPARE)} ", self.column(scope, like).sql())

    def between(self, scope, depth):
        column = self.column(scope, ORDERED - {"bool"})
        if column is None:
            return None
        word = self.rng.choice([" BETWEEN ", " BETWEEN ", " NOT BETWEEN "])
        return Node(column.sql(), word, self.side(column.kind), " AND ", self.side(column.kind))

    def in_list(self, scope, depth):
        column = self.column(scope, ORDERED - {"bool"})
        if column is None:
            return None
        negated = self.chance(0.35)
        if self.chance(0.7):
            return InList(Node(column.sql()), self.names.parameter(column.kind, is_list=True, declared=self.chance(0.2)), negated)
        if self.chance(0.3):
            # A function of lists, which knows no empty ones apart.
            items = Placeholder(self.names.parameter(column.kind, is_list=True, declared=True))
            return Node(column.sql(), " = ANY(", items, ")") if self.chance(0.5) else HasItem(items, column.sql())
        items = [self.side(column.kind) for _ in range(self.rng.randint(1, 5))]
        return Node(column.sql(), " NOT IN (" if negated else " IN (", Many(", ", items), ")")

    def is_null(self, scope, depth):
        return Node(self.rng.choice(scope).sql(), self.rng.choice([" IS NULL", " IS NOT NULL"]))

    def like(self, scope, depth):
        column = self.column(scope, {"text"})
        if column is None:
            return None
        which = self.rng.choice(["like", "like", "literal", "begins", "inside", "position"])
        if which == "like":
            word = self.rng.choice([" LIKE ", " NOT LIKE ", " ILIKE "])
            return Node(column.sql(), word, Placeholder(self.names.parameter(PATTERN, declared=self.chance(0.3))))
        if which == "literal":
            return Node(column.sql(), " LIKE ", kinds.quoted(PATTERN.draw(self.rng)))
        needle = Placeholder(self.names.parameter(NEEDLE, declared=True))
        if which == "begins":
            return Node(f"starts_with({column.sql()}, ", needle, ")")
        if which == "position":
            return Node(f"strpos({column.sql()}, ", needle, ") > 0")
        return Node(column.sql(), " LIKE '%' || ", needle, " || '%'")

    def distinct(self, scope, depth):
        column = self.column(scope, ORDERED)
        if column is None:
            return None
        word = self.rng.choice([" IS DISTINCT FROM ", " IS NOT DISTINCT FROM "])
        return Node(column.sql(), word, self.side(column.kind))

    def of_boolean(self, scope, depth):
        column = self.column(scope, {"bool"})
        return Node(column.sql()) if column else None

    def list_has(self, scope, depth):
        column = self.column(scope, {"list"})
        if column is None:
            return None
        item = Placeholder(self.names.parameter(column.kind.item, declared=True))
        return Node("array_has(", column.sql(), ", ", item, ")")

    def of_zone(self, scope, depth):
        """A time with a zone beside days and times without one: by the project's zone."""
        column = self.column(scope, {"timestamptz"})
        if column is None or "zones" in self.without:
            return None
        which = self.rng.choice(["date", "date", "cast", "hour", "timestamp"])
        if which == "date":
            return Node(column.sql(), " >= ", Placeholder(self.names.parameter(kinds.DATE, declared=True)))
        if which == "timestamp":
            return Node(column.sql(), " < ", Placeholder(self.names.parameter(kinds.TIMESTAMP, declared=True)))
        if which == "cast":
            return Node(f"CAST({column.sql()} AS DATE) = ", Placeholder(self.names.parameter(kinds.DATE, declared=True)))
        return Node(f"extract(hour FROM {column.sql()}) < ", Placeholder(self.names.parameter(SMALL, declared=True)))

    def of_interval(self, scope, depth):
        if "intervals" in self.without:
            return None
        made = self.value(scope, "interval", depth)
        if self.column(scope, {"interval", "timestamp"}) is None or made is None:
            return None
        parameter = self.names.parameter(kinds.INTERVAL, declared=True)
        return Node(made[0], f" {self.rng.choice(COMPARE)} ", Placeholder(parameter))
