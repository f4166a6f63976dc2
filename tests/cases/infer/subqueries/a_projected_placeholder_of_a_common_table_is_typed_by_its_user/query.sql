WITH edge AS (SELECT << since >> AS since, << factor >> AS factor)
SELECT count(*) AS n FROM orders CROSS JOIN edge
WHERE day >= edge.since AND price * factor > 10
