-- calls: 4, 1
SELECT count(*) AS n
FROM (SELECT MAP {'a': quantity, 'b': id} AS m FROM orders) AS t
WHERE m[<< k >>] = << v >>
  AND map_extract(m, << other >>)[1] > 0
