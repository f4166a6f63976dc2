-- error: [unknown-column]
SELECT "Id" FROM orders
