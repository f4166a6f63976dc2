"""Selects of what qtool writes in another form before it plans: calls that DuckDB has by nature, and pivots."""

import kinds
from kinds import BIGINT, BOOLEAN
from expressions import COMPARE, SMALL
from tree import Many, Maybe, Node, Placeholder

TEXT = kinds.SCALARS["text"]
UNITS = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"]
# `{k}` is a whole number or NULL, `{g}` a text or NULL.
DOCUMENT = """('{{"a":' || CAST({k} AS VARCHAR) || ',"b":{{"c":"x' || CAST({id} AS VARCHAR) || '"}},"xs":[1,null,"é"]}}')"""


class Spelled:
    """A part of the builder."""

    def spelled(self):
        return self.rng.choice([self.calls, self.calls, self.documents, self.groups, self.pivoted])()

    def from_made(self, items):
        node, scope, rows = self.made(["day", "moment"])
        names = {item.name: item.sql() for item in scope}
        items = [("{id}", BIGINT), *self.rng.sample(items, min(3, len(items)))]
        columns = [(f"c{index}", kind) for index, (_, kind) in enumerate(items)]
        listed = Many(", ", [Node(text.format(**names), f" AS c{index}") for index, (text, _) in enumerate(items)], least=2)
        return node, names, rows, columns, listed

    def difference(self, names):
        times = [names["day"], names["moment"], "CAST('2024-02-29' AS DATE)", "CAST('1969-12-28T23:00:00' AS TIMESTAMP)"]
        return f"date_diff('{self.rng.choice(UNITS)}', {self.rng.choice(times)}, {self.rng.choice(times[:2])})"

    def calls(self):
        rng = self.rng
        items = [(f"{part}({{{time}}})", BIGINT)
                 for part in ["year", "quarter", "month", "week", "day", "dayofweek", "isodow", "dayofyear"]
                 for time in ["day", "moment"]]
        items += [("hour({moment})", BIGINT), ("minute({moment})", BIGINT), ("dayname({day})", TEXT),
                  ("monthname({moment})", TEXT), ("last_day({day})", kinds.DATE),
                  ("strftime({moment}, '%Y-%m-%d %H:%M:%S.%f')", TEXT), ("strftime({day}, '%x|%j|%G-%V|%%c')", TEXT),
                  ("if({k} > 1, {g}, 'none')", TEXT), ("len({g})", BIGINT), ("len(string_split({g}, 'a'))", BIGINT),
                  ("string_split({g}, '')[1]", TEXT), ("string_split({g}, 'b')[1]", TEXT),
                  ("regexp_extract({g}, '[a-c]+')", TEXT), ("regexp_extract({g}, '([a-c])(x)?', 2)", TEXT),
                  ("regexp_matches({g}, '^[a-m]')", BOOLEAN), ("prefix({g}, 'a')", BOOLEAN)]
        node, names, rows, columns, listed = self.from_made(items)
        differences = [self.difference(names) for _ in range(2)]
        number = Placeholder(self.names.parameter(SMALL, declared=True))
        condition = Node("(", self.difference(names), f" {rng.choice(COMPARE)} ", number, ")")
        listed = Node(listed, *[f", {text} AS d{index}" for index, text in enumerate(differences)])
        columns += [(f"d{index}", BIGINT) for index in range(2)]
        return Node("SELECT ", listed, " FROM ", node, Maybe(" WHERE ", condition)), columns, rows

    def documents(self):
        places = ["->> 'a'", "-> 'b' ->> 'c'", "->> '$.b.c'", "->> '$.xs[0]'", "->> '$.xs[1]'", "->> '$.xs[-1]'",
                  "->> 'zz'", "-> 'b'", "-> 'xs' ->> 2", "->> '/b/c'", "->> '$'"]
        items = [(f"({DOCUMENT} {place})", TEXT) for place in places]
        items += [(f"json_array_length({DOCUMENT}, '$.xs')", BIGINT), (f"json_exists({DOCUMENT}, '$.b')", BOOLEAN),
                  (f"json_valid({DOCUMENT})", BOOLEAN), (f"CAST(({DOCUMENT} ->> 'a') AS BIGINT)", BIGINT)]
        node, names, rows, columns, listed = self.from_made(items)
        number = Placeholder(self.names.parameter(SMALL, declared=True))
        # DuckDB's arrows bind less close than its comparisons.
        condition = Node(f"(CAST(({DOCUMENT.format(**names)} ->> 'a') AS BIGINT) {self.rng.choice(COMPARE)} ", number, ")")
        return Node("SELECT ", listed, " FROM ", node, Maybe(" WHERE ", condition)), columns, rows

    def groups(self):
        node, scope, rows = self.made([])
        names = {item.name: item.sql() for item in scope}
        number = Placeholder(self.names.parameter(SMALL, declared=True))
        items = [(Node(f"({names['k']} % 3)"), BIGINT), (Node(f"arg_max({names['k']}, {names['id']})"), BIGINT),
                 (Node(f"min_by({names['g']}, {names['id']})"), TEXT), (Node(f"coalesce(count_if({names['k']} > ", number, "), 0)"), BIGINT),
                 (Node(f"group_concat(CAST({names['k']} AS VARCHAR) ORDER BY {names['id']})"), TEXT)]
        columns = [(f"c{index}", kind) for index, (_, kind) in enumerate(items)]
        listed = Many(", ", [Node(item, f" AS c{index}") for index, (item, _) in enumerate(items)], least=2)
        return Node("SELECT ", listed, " FROM ", node, " GROUP BY ALL"), columns, rows

    def pivoted(self):
        node, scope, rows = self.made([])
        names = {item.name: item.sql() for item in scope}
        number = Placeholder(self.names.parameter(SMALL, declared=True))
        source = Node(f"(SELECT {names['k']} % 3 AS b, {names['id']} % 4 AS c, {names['k']} AS n FROM ", node,
                      Maybe(f" WHERE {names['k']} > ", number), ")")
        columns = [("b", BIGINT)]
        listed = ["b"]
        for value in ["0", "1", "7", "none"]:
            for name in ["s", "x"]:
                columns.append((f"c{value}{name}", BIGINT))
                listed.append(f'"{value}_{name}" AS c{value}{name}')
        pivot = "PIVOT (sum(n) AS s, count(*) AS x FOR c IN (0, 1, 7, NULL AS none))"
        return Node(f"SELECT {', '.join(listed)} FROM ", source, f" {pivot}"), columns, rows
