WITH orders AS (SELECT status AS id, day AS price FROM orders)
SELECT count(*) AS n FROM orders WHERE id = << id >> AND price >= << price >>
