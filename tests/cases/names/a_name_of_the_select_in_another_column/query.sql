-- error: [unknown-column]
SELECT id * 2 AS twice, twice + 1 AS more FROM orders
