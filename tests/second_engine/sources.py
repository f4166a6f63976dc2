"""What stands behind FROM and WHERE: tables, other queries, joins, conditions, subqueries."""

import kinds
from expressions import ORDERED, SMALL
from query import InScope, Source
from tree import ABSENT, Both, Clause, Many, Maybe, Node, Placeholder, Use

# More rows than this come of no join.
MOST = 20_000


class Sources:
    """A part of the builder."""

    def source(self, depth=1):
        """A table, a common table, another query or a subquery."""
        if self.common and self.chance(0.5):
            return self.rng.choice(self.common)
        views = [query for query in self.queries if query.rows <= 2000 and query.cut is None
                 and not any(p.choices for p in query.parameters.values())]
        if views and self.chance(0.15):
            return self.use(self.rng.choice(views))
        if self.chance(0.06):
            return self.made_here()
        table = self.rng.choice(self.tables)
        columns = [(column.name, column.kind) for column in table.columns]
        if depth > 0 and self.chance(0.08):
            node, columns, rows = self.select(depth=0)
            if self.chance(0.4) and all(kind.group in ORDERED for _, kind in columns):
                order = ", ".join(f"{name} NULLS LAST" for name, _ in columns)
                node = Node(node, f" ORDER BY {order} LIMIT {self.rng.choice([1, 3, 50])}")
            return Source(Node("(", node, ")"), columns, rows, False)
        return Source(Node(table.name), columns, table.size, True)

    def made_here(self):
        """Rows that the query makes."""
        if self.chance(0.5):
            most = Placeholder(self.names.parameter(SMALL, declared=True))
            return Source(Node("(SELECT s.v AS k FROM generate_series(1, ", most, ") AS s(v))"), [("k", kinds.BIGINT)], 10, False)
        rows = []
        for _ in range(self.rng.randint(1, 4)):
            number = Placeholder(self.names.parameter(kinds.BIGINT, declared=True)) if self.chance(0.3) else self.rng.choice("0123")
            text = self.rng.choice(["'a'", "'b'", "'zz'", "NULL"])
            rows.append(Node("(", number, ", ", text, ")"))
        # Of which type a column of nulls is, is not for here.
        rows.append(Node("(CAST(NULL AS BIGINT), 'é')"))
        node = Node("(SELECT v.k AS k, v.g AS g FROM (VALUES ", Many(", ", rows), ") AS v(k, g))")
        return Source(node, [("k", kinds.BIGINT), ("g", kinds.TEXT)], len(rows), False)

    def use(self, query):
        renames = {}
        for name, parameter in query.parameters.items():
            renames[name] = parameter
            if self.chance(0.4) and parameter.default is ABSENT:
                renames[name] = parameter.renamed(f"p{next(self.counter)}")
        return Source(Use(query, renames), query.columns, query.rows, False)

    def tables_of(self):
        """FROM with its joins: the node, what is in scope, the rows about, the aliases of tables."""
        first = self.source()
        alias = self.alias()
        scope, rows = first.scope(alias), first.rows
        whole = [alias] if first.unique else None
        parts = [Node(first.node, f" AS {alias}")]
        for _ in range(self.rng.choice([0, 0, 1, 1, 1, 2])):
            joined = self.join(scope, rows)
            if joined is None:
                continue
            node, added, rows, alias, unique, hides = joined
            parts.append(node)
            if not hides:
                scope = scope + added
                whole = whole + [alias] if whole and unique else None
        return Node(*parts[:1], Many("", parts[1:], least=0)), scope, rows, whole

    def join(self, scope, rows):
        other = self.source(depth=0)
        alias = self.alias()
        added = other.scope(alias)
        word = self.rng.choice(["JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "RIGHT JOIN", "FULL JOIN", "FULL JOIN", "CROSS JOIN",
                                "SEMI", "ANTI"])
        if word == "CROSS JOIN":
            if rows * other.rows > 3000:
                return None
            return Node(" CROSS JOIN ", other.node, f" AS {alias}"), added, rows * other.rows, alias, other.unique, False
        pairs = [(one, two) for one in scope for two in added if one.name == two.name and one.kind is two.kind
                 and one.kind.group in ("int", "text", "date", "decimal")]
        if rows * other.rows > MOST:
            pairs = [(one, two) for one, two in pairs if one.name == "id"]
        if not pairs:
            return None
        keys = self.rng.sample(pairs, 1 if self.chance(0.85) or len(pairs) < 2 else 2)
        conditions = [Node(f"{one.sql()} = {two.sql()}") for one, two in keys]
        if self.chance(0.3):
            conditions.append(self.make.condition(scope + added, 0))
        on = Node(" ON ", Many(" AND ", conditions), self.clause("AND", scope + added, 0.15))
        words = {"SEMI": Both(" LEFT SEMI JOIN ", " SEMI JOIN "), "ANTI": Both(" LEFT ANTI JOIN ", " ANTI JOIN ")}
        node = Node(words.get(word, f" {word} "), other.node, f" AS {alias}", on)
        by_id = any(one.name == "id" for one, _ in keys)
        grown = max(rows, other.rows) if by_id else max(rows, other.rows, rows * other.rows // 3)
        return node, added, rows if word in ("SEMI", "ANTI") else grown, alias, other.unique, word in ("SEMI", "ANTI")

    def clause(self, word, scope, share):
        made = Clause(word, self.make.condition(scope, 1)) if self.chance(share) else None
        # Without a placeholder nothing decides whether it applies.
        return made if made and made.parameters() else Node()

    def where(self, scope):
        if self.chance(0.1):
            return Node()
        conditions = [self.make.condition(scope, self.rng.choice([0, 1, 2])) for _ in range(self.rng.choice([1, 1, 2, 3]))]
        if self.chance(0.3):
            conditions.append(self.subquery_condition(scope))
        ands = [self.clause("AND", scope, 0.3), self.clause("AND", scope, 0.15)]
        # Behind an OR clause an AND would belong to it.
        return Maybe(" WHERE ", Many(" AND ", conditions), *ands, self.clause("OR", scope, 0.12))

    def subquery_condition(self, scope):
        table = self.rng.choice(self.tables)
        alias = self.alias()
        inner = [InScope(alias, column.name, column.kind) for column in table.columns]
        outer = [column for column in scope if column.name in ("id", "k") and column.kind is kinds.BIGINT]
        inside = self.make.condition(inner, 1)
        if not outer:
            return Node("EXISTS (", f"SELECT 1 FROM {table.name} AS {alias} WHERE ", inside, ")")
        key = self.rng.choice(outer)
        which = self.rng.choice(["in", "in", "in", "exists", "scalar"])
        name = self.rng.choice(["id", "k", "k"])
        if which == "in":
            word = self.rng.choice(["IN", "IN", "NOT IN"])
            made = Node(f"{key.sql()} {word} (SELECT {alias}.{name} FROM {table.name} AS {alias}", Maybe(" WHERE ", inside), ")")
        elif which == "exists":
            word = self.rng.choice(["EXISTS", "NOT EXISTS"])
            made = Node(f"{word} (SELECT 1 FROM {table.name} AS {alias} WHERE {alias}.{name} = {key.sql()}",
                        Maybe(" AND ", inside), ")")
        else:
            function = self.rng.choice(["max", "min", "count"])
            made = Node(f"{key.sql()} >= (SELECT {function}({alias}.id) FROM {table.name} AS {alias} WHERE {alias}.k = {key.sql()}",
                        Maybe(" AND ", inside), ")")
        return self.wrapped(made, scope)

    def subquery_value(self, scope):
        """A subquery that gives one value, or a condition with one, as a column of the result."""
        keys = [column for column in scope if column.name in ("id", "k") and column.kind is kinds.BIGINT]
        if not keys or self.chance(0.3):
            return self.subquery_condition(scope), kinds.BOOLEAN
        table, alias = self.rng.choice(self.tables), self.alias()
        function = self.rng.choice(["max", "min", "count", "sum"])
        return Node(f"(SELECT {function}({alias}.id) FROM {table.name} AS {alias} WHERE {alias}.k = {self.rng.choice(keys).sql()})"), \
            kinds.BIGINT

    def wrapped(self, made, scope):
        """Below OR and NOT, where null and false are not the same."""
        bracketed = Node("(", made, ")")
        which = self.rng.choice(["as is", "as is", "or", "not", "not and"])
        if "nulls_in_subqueries" in self.without:
            return bracketed
        if which == "or":
            return Node("(", Many(" OR ", [bracketed, self.make.condition(scope, 0)]), ")")
        if which == "not":
            return Node("(NOT ", bracketed, ")", instead=[bracketed])
        if which == "not and":
            return Node("(NOT (", Many(" AND ", [bracketed, self.make.condition(scope, 0)]), "))")
        return bracketed

    # --- Selects
