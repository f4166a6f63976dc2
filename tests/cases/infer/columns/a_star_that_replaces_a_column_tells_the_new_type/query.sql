SELECT count(*) AS n
FROM (SELECT * EXCLUDE (note) REPLACE (day AS placed_at, status AS id) FROM orders) AS t
WHERE placed_at >= << a >> AND id = << b >>
