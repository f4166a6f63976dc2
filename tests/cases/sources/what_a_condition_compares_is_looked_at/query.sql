SELECT id FROM t WHERE id <= << most >> AND n > << above >> [[AND s <> << but >>]] [[AND ok = << ok >>]] ORDER BY id
