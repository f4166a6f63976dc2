SELECT y, k FROM a INTERSECT SELECT y, k FROM b WHERE k <> << but: int >> ORDER BY k
