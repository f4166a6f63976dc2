SELECT count(*) AS n FROM t WHERE b AND id <= << most: int >>
