-- error: [invalid-query]
SELECT TRY_CAST(status AS varchar(3)) AS short FROM orders
