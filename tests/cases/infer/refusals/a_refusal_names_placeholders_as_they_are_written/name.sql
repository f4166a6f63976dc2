-- error: [invalid-query]
SELECT id FROM (SELECT id, << x: int >>, << x >> FROM orders) AS t
