SELECT sum(i) AS sum FROM t WHERE id <= << most: int >>
