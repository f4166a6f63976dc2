SELECT "od""d" AS a, "select" AS b, "Größe" AS c FROM t WHERE "od""d" = << x: int >>
