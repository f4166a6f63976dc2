WITH gone AS (DELETE FROM orders RETURNING id) SELECT id FROM gone -- error: [not-a-query]
