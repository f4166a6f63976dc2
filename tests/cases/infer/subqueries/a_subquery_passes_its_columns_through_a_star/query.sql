SELECT count(*) AS n
FROM (SELECT t.*, status AS label FROM (SELECT *, << x >> AS x FROM orders) AS t) AS u
WHERE u.x >= u.day AND u.label = << label >> AND u.price > << price >>
