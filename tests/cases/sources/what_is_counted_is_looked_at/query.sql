SELECT count(*) AS n FROM t WHERE id <= << most >> [[AND n > << above >>]] [[AND day > << after >>]] [[AND ok = << ok >>]]
