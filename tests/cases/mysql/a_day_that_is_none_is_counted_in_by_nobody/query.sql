SELECT count(d) AS n, max(d) AS last FROM t WHERE id <= << most: int >>
