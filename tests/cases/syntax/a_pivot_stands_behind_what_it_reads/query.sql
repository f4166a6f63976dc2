-- error: [not-a-query]
PIVOT orders ON status IN ('open', 'shipped') USING sum(quantity) GROUP BY customer_id
