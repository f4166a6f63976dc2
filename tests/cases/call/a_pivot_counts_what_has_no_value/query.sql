WITH s (cat, id, n) AS (VALUES ('a', 1, 10), ('a', 1, 5), ('b', 1, NULL), ('b', 2, 3), (NULL, 2, 4), ('c', 3, 1))
SELECT * FROM s PIVOT (sum(n) FOR cat IN ('a', 'b', NULL)) ORDER BY id
