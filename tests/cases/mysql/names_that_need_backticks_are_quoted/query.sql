SELECT "od""d" AS a, "select" AS b, "Größe" AS c, "a `b?" AS d FROM t WHERE "od""d" = << x: int >> AND "a `b?" > 0
