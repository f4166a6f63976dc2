SELECT count(n) AS n, min(n) AS least FROM t WHERE id <= << most: int >>
