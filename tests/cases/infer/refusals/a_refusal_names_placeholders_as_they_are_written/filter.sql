-- error: [invalid-query]
SELECT first_value(id) FILTER (WHERE id > << least: bigint >>) OVER () AS x FROM orders
