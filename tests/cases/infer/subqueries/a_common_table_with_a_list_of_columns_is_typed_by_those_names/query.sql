-- calls: 2, 0
WITH edge(a, b) AS (SELECT << b >>, << a >>)
SELECT count(*) AS n FROM orders CROSS JOIN edge
WHERE day >= edge.a AND status = edge.b
