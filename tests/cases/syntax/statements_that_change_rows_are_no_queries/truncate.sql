-- error: [not-a-query]
TRUNCATE TABLE orders
