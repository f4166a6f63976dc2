SELECT count(*) AS n
FROM (SELECT MAP {id: status} AS m FROM orders) AS t
WHERE m[<< k >>] = << v >>
