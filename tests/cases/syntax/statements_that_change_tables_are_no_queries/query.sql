-- error: [not-a-query]
DROP TABLE orders
