"""Random queries over the tables and over each other."""

import kinds
from dependent import Dependent
from expressions import ORDERED, SMALL, UNWRITTEN, Expressions
from more import More
from pushed import Pushed
from query import Names, Query, Source
from selects import Selects
from sources import Sources
from spelled import Spelled
from tree import Both, Chosen, Many, Node, Placeholder


class Builder(Sources, Selects, More, Dependent, Spelled, Pushed):
    """Makes the queries of one project."""

    def __init__(self, rng, tables, counter, without, only):
        self.rng = rng
        self.tables = tables
        self.counter = counter
        self.without = without
        self.only = only
        # Whether the tables lie where conditions are sent to.
        self.pushes = False
        self.optional_ones = False
        self.queries = []
        self.common = []

    def chance(self, share):
        return self.rng.random() < share

    def query(self, name, kind):
        query = Query(name, kind)
        self.names = Names(self.rng, self.counter)
        self.make = Expressions(self.rng, self.names, self.without)
        self.common = []
        self.aliases = 0
        common = self.common_tables() if self.chance(0.2) else None
        ordered = kind == "tool" and ("orders" in self.only or not self.only and self.chance(0.04))
        body, columns, rows = self.by_expressions(query) if ordered else self.body()
        parts = [common] if common else []
        parts.append(body)
        query.columns, query.rows = columns, rows
        if kind == "tool" and not ordered:
            parts.append(self.cut(query) if self.pushes and self.chance(0.1) else self.ordering(query))
        query.statement = Node(*parts)
        query.header = {"result_limit": "none", "lints": {"select-star": "allow"}}
        if kind == "tool" and self.chance(0.15):
            query.header["result_limit"] = self.rng.choice([1, 5, 50])
        if kind == "tool" and self.chance(0.1):
            query.header["cache_ttl"] = "60s"
        query.settle()
        self.queries.append(query)
        return query

    # --- Parts of a statement

    def alias(self):
        self.aliases += 1
        return f"t{self.aliases}"

    def common_tables(self):
        parts = []
        for _ in range(self.rng.choice([1, 1, 2])):
            node, columns, rows = self.select()
            name = f"w{len(self.common) + 1}_{self.alias()}"
            self.common.append(Source(Node(name), columns, rows, False))
            parts.append(Node(f"{name} AS (", node, ")"))
        return Node("WITH ", Many(", ", parts), " ")

    def body(self):
        if self.chance(0.12):
            return self.set_operation()
        return self.select()

    def set_operation(self):
        node, columns, rows = self.plain([])
        wanted = [kind for _, kind in columns]
        other, _, more = self.plain(wanted)
        word = self.rng.choice(["UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"])
        if "multisets" in self.without:
            word = word.replace("T ALL", "T")
        return Node(node, f" {word} ", other), columns, rows + more

    def plain(self, wanted):
        """A select of columns of these types; of any, if there are none."""
        source = self.source()
        alias = self.alias()
        scope = source.scope(alias)
        if not wanted:
            fit = [column for column in scope if column.kind.group in ORDERED - UNWRITTEN | {"time"}] or scope
            chosen = self.rng.sample(fit, min(len(fit), self.rng.randint(1, 3)))
            items = [(Node(column.sql()), column.kind) for column in chosen]
        else:
            items = []
            for kind in wanted:
                same = [column for column in scope if column.kind is kind]
                node = Node(self.rng.choice(same).sql()) if same else \
                    Node(f"CAST({kinds.shared_literal(kind, kind.draw(self.rng))} AS ", Both(kind.sql, kind.theirs), ")")
                items.append((node, kind))
        columns = [(f"c{index}", kind) for index, (_, kind) in enumerate(items)]
        listed = [Node(node, f" AS c{index}") for index, (node, _) in enumerate(items)]
        node = Node("SELECT ", Many(", ", listed, least=len(listed)), " FROM ", source.node, f" AS {alias}", self.where(scope))
        return node, columns, source.rows

    def ordering(self, query):
        sortable = [index for index, (_, kind) in enumerate(query.columns) if kind.group in ORDERED]
        if not sortable or self.chance(0.3):
            return Node()
        query.order = self.rng.sample(sortable, self.rng.randint(1, len(sortable)))
        total = len(sortable) == len(query.columns)
        query.whole_order = len(query.order) == len(query.columns)
        limit = self.chance(0.2) and total
        if limit:
            query.order += [index for index in sortable if index not in query.order]
        keys = [self.key(query.columns[index][0]) for index in query.order]
        if self.chance(0.15) and not limit:
            ways = {f"o{number}": ", ".join(self.key(query.columns[index][0]) for index in query.order) for number in (0, 1)}
            query.whole_order = len(query.order) == len(query.columns)
            return Node(" ORDER BY ", Chosen(self.names.choice(ways)))
        node = Node(" ORDER BY ", ", ".join(keys))
        if limit:
            node.parts.append(Node(" LIMIT ", Placeholder(self.names.parameter(SMALL, declared=True))))
            if self.chance(0.4):
                node.parts.append(Node(" OFFSET ", Placeholder(self.names.parameter(SMALL, declared=True))))
        return node

    def key(self, name):
        return f"{name} {self.rng.choice(['ASC', 'DESC'])} {self.rng.choice(['NULLS FIRST', 'NULLS LAST'])}"


NESTED = {}
