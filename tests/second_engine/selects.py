"""Lists of columns, windows, aggregates and groups."""

import kinds
from expressions import ORDERED, SMALL
from query import Source
from tree import Chosen, Clause, Many, Maybe, Node, Placeholder


NESTED = {}


def nested(kind):
    """The type of lists of a type, one object for each, for columns are compared by it."""
    if kind not in NESTED:
        NESTED[kind] = kinds.list_of(kind)
        NESTED[kind].item = kind
    return NESTED[kind]


class Selects:
    """A part of the builder."""

    def select(self, depth=1):
        if self.pushes and not self.only and self.chance(0.5):
            return self.pushed()
        if self.only or self.chance(0.12):
            return self.special()
        if self.chance(0.2):
            return self.lookup()
        node, scope, rows, whole = self.tables_of()
        scope = [column for column in scope]
        if self.chance(0.35) or rows > 2000 and self.chance(0.5):
            return self.grouped(node, scope, rows)
        if self.chance(0.12):
            return self.aggregated(node, scope)
        return self.listed(node, scope, rows, whole)

    def lookup(self):
        """Columns of a table by one or two comparisons: what servers keep the plan of."""
        table, alias = self.rng.choice(self.tables), self.alias()
        scope = Source(None, [(column.name, column.kind) for column in table.columns], table.size, True).scope(alias)
        chosen = list({column.name: column for column in [scope[0]] + [self.rng.choice(scope) for _ in range(3)]}.values())
        columns = [(column.name, column.kind) for column in chosen]
        compared = [Node("(", self.rng.choice([self.make.comparison, self.make.between])(scope, 0), ")")
                    for _ in range(self.rng.choice([1, 1, 2]))]
        where = Node(" WHERE ", Many(" AND ", compared), self.clause("AND", scope, 0.3))
        node = Node("SELECT ", ", ".join(column.sql() for column in chosen), f" FROM {table.name} AS {alias}", where)
        return node, columns, table.size

    def listed(self, node, scope, rows, whole):
        items = []
        for column in [self.rng.choice(scope) for _ in range(self.rng.randint(1, 4))]:
            if self.chance(0.65):
                items.append((Node(column.sql()), column.kind))
            else:
                items.append(self.make.value(scope, column.kind.group, 2))
        if self.chance(0.1) and "nulls_in_subqueries" not in self.without:
            items.append(self.subquery_value(scope))
        lists = self.make.columns(scope, {"list"})
        if lists and self.chance(0.3):
            column = self.rng.choice(lists)
            items.append((Node(f"unnest({column.sql()})"), column.kind.item))
        ids = [column for column in scope if column.name == "id"]
        for column in ids:
            if self.chance(0.8):
                items.insert(0, (Node(column.sql()), column.kind))
        if whole and self.chance(0.2) and rows <= 2000:
            items.append(self.window(scope, whole))
        distinct = "DISTINCT " if self.chance(0.12) and all(kind.group in ORDERED for _, kind in items) else ""
        if self.chance(0.08) and not distinct:
            chosen = self.choice_of(scope)
            if chosen:
                items.append(chosen)
        behind = ""
        if whole and not distinct and self.chance(0.08) and rows <= 2000:
            order = ", ".join(f"{alias}.id NULLS LAST" for alias in whole)
            most = Placeholder(self.names.parameter(SMALL, declared=True))
            behind = Maybe(f" QUALIFY row_number() OVER (PARTITION BY {self.rng.choice(scope).sql()} ORDER BY {order}) <= ", most)
        return self.finish(node, items, scope, rows, distinct, behind)

    def choice_of(self, scope):
        """A column that the call chooses."""
        kind = self.rng.choice([column.kind for column in scope])
        same = sorted({column.sql() for column in scope if column.kind is kind})
        if len(same) < 2:
            return None
        some = self.rng.sample(same, 2)
        parameter = self.names.choice({f"o{index}": sql for index, sql in enumerate(some)})
        return Chosen(parameter), kind

    def window(self, scope, whole):
        rng = self.rng
        order = ", ".join(f"{alias}.id NULLS LAST" for alias in whole)
        part = rng.choice(["", f"PARTITION BY {rng.choice(scope).sql()} "]) if self.chance(0.7) else ""
        group = [column for column in scope if column.kind.group in ("int", "float", "text", "date")]
        column = rng.choice(group)
        number = self.make.column(scope, {"int"}) or column
        frame = rng.choice(["", " ROWS BETWEEN 2 PRECEDING AND CURRENT ROW", " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
                            " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"])
        which = rng.choice(["row", "rank", "dense", "lag", "lead", "sum", "count", "first", "last", "minmax"])
        over = f" OVER ({part}ORDER BY {order}{frame})"
        plain = f" OVER ({part}ORDER BY {order})"
        if which == "row":
            return Node("row_number()", plain), kinds.BIGINT
        if which in ("rank", "dense"):
            name = "rank" if which == "rank" else "dense_rank"
            return Node(f"{name}() OVER ({part}ORDER BY {column.sql()} DESC NULLS LAST)"), kinds.BIGINT
        if which in ("lag", "lead"):
            return Node(f"{which}({column.sql()}, {rng.choice([1, 2])})", plain), column.kind
        if which == "sum":
            return Node(f"sum(CAST({number.sql()} AS BIGINT))", over) if number.kind.group == "int" else Node("count(*)", over), kinds.BIGINT
        if which == "count":
            return Node(f"count({column.sql()})", over), kinds.BIGINT
        if which == "minmax":
            return Node(f"{rng.choice(['min', 'max'])}({column.sql()})", over), column.kind
        return Node(f"{which}_value({column.sql()})", over), column.kind

    def aggregates(self, scope):
        rng = self.rng
        items = []
        for _ in range(rng.randint(1, 3)):
            items.append(self.aggregate(scope))
        return items

    def aggregate(self, scope):
        rng = self.rng
        column = self.make.column(scope, ORDERED)
        if column is None:
            return Node("count(*)"), kinds.BIGINT
        filter_ = Maybe(" FILTER (WHERE ", self.make.condition(scope, 0), ")") if self.chance(0.3) else Node()
        which = rng.choice(["rows", "count", "distinct", "min", "max", "sum", "sum", "avg", "texts", "list", "bool"])
        number = self.make.column(scope, {"int", "float", "decimal"})
        text = self.make.column(scope, {"text"})
        if which == "rows":
            return Node("count(*)", filter_), kinds.BIGINT
        if which in ("count", "distinct"):
            return Node("count(", "DISTINCT " if which == "distinct" else "", column.sql(), ")", filter_), kinds.BIGINT
        if which in ("min", "max"):
            return Node(f"{which}({column.sql()})", filter_), column.kind
        if which == "sum" and number:
            if number.kind.group == "int":
                return Node(f"sum({number.sql()})", filter_), kinds.BIGINT
            return Node(f"sum({number.sql()})", filter_), kinds.DOUBLE if number.kind.group == "float" else number.kind
        if which == "avg" and number:
            return Node(f"avg(CAST({number.sql()} AS DOUBLE))", filter_), kinds.DOUBLE
        if which == "texts" and text:
            return Node(f"string_agg({text.sql()}, '|' ORDER BY {text.sql()})", filter_), kinds.TEXT
        if which == "list":
            one = self.make.column(scope, {"int", "text", "date"})
            if one:
                return Node(f"array_agg({one.sql()} ORDER BY {one.sql()} NULLS LAST)", filter_), nested(one.kind)
        truth = self.make.column(scope, {"bool"})
        if which == "bool" and truth:
            return Node(f"{rng.choice(['bool_and', 'bool_or'])}({truth.sql()})", filter_), kinds.BOOLEAN
        return Node("count(*)", filter_), kinds.BIGINT

    def aggregated(self, node, scope):
        return self.finish(node, self.aggregates(scope), scope, 1, "", "")

    def grouped(self, node, scope, rows):
        keys = []
        for _ in range(self.rng.choice([1, 1, 2])):
            if self.chance(0.75):
                column = self.make.column(scope, ORDERED) or self.rng.choice(scope)
                keys.append((Node(column.sql()), column.kind))
            else:
                column = self.make.column(scope, ORDERED - {"bool"}) or self.rng.choice(scope)
                keys.append(self.make.value(scope, column.kind.group, 1))
        keys = list({key.ours(): (key, kind) for key, kind in keys}.values())
        written = Many(", ", [key for key, _ in keys], least=len(keys))
        way = self.rng.choice([None, None, None, "ROLLUP", "CUBE", "SETS"])
        if way == "SETS":
            group = Node(" GROUP BY GROUPING SETS ((", written, "), ())")
        elif way:
            group = Node(f" GROUP BY {way} (", written, ")")
        else:
            group = Node(" GROUP BY ", written)
        having = Node()
        if self.chance(0.25):
            least = Placeholder(self.names.parameter(SMALL, declared=self.chance(0.5)))
            having = Maybe(" HAVING ", Node("count(*) >= ", least))
            if self.chance(0.4):
                most = Placeholder(self.names.parameter(SMALL, declared=True))
                having.parts.append(Clause("AND", Node("count(*) < ", most)))
        return self.finish(node, keys + self.aggregates(scope), scope, rows, "", Node(group, having))

    def finish(self, node, items, scope, rows, distinct, behind):
        columns, listed, used = [], [], set()
        for index, (item, kind) in enumerate(items):
            name = f"c{index}"
            written = item.ours().rsplit(".", 1)[-1]
            # Names of the tables' columns come out too: several of them in one plan are what by-name rules trip over.
            if written in ("id", "k", "y", "g") and written not in used and self.chance(0.6):
                name = written
            used.add(name)
            columns.append((name, kind))
            listed.append(Node(item, f" AS {name}"))
        where = self.where(scope)
        made = Node("SELECT ", distinct, Many(", ", listed, least=len(listed)), " FROM ", node, where, behind)
        return made, columns, rows

    # --- The order of the result
