SELECT id, a, b, c FROM t WHERE true [[AND a = << a >>]] [[AND b < << b >>]] [[AND c > << c >>]] ORDER BY id
