-- error: [unknown-column]
SELECT id, sysdate AS at FROM orders
