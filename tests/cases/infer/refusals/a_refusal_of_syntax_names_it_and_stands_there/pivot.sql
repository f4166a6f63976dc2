SELECT id
-- error: [invalid-query]
FROM orders PIVOT(sum(id) FOR status IN (ANY))
