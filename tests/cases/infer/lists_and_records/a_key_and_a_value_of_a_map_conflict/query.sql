SELECT count(*) AS n
FROM (SELECT MAP {'a': quantity, 'b': id} AS m FROM orders) AS t
-- error: [conflicting-types]
WHERE m[<< x >>] = << x >>
