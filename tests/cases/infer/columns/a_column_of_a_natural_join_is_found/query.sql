SELECT count(*) AS n
FROM (SELECT id, city, price FROM orders NATURAL JOIN customers) AS t
WHERE t.id > << a >> AND t.city = << b >> AND t.price > << c >>
