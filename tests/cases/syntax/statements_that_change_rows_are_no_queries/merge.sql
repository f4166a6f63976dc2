-- error: [not-a-query]
MERGE INTO orders USING customers ON orders.id = customers.id WHEN MATCHED THEN DELETE
