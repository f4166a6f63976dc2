-- error: [not-a-query]
DESCRIBE orders
