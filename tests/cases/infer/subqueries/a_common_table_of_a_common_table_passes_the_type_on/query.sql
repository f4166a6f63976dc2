WITH a AS (SELECT << x >> AS x, id FROM orders), b AS (SELECT x AS y, id FROM a)
SELECT count(*) AS n FROM b JOIN customers ON customers.joined > b.y
