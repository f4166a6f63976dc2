-- error: [cannot-infer-type]
SELECT count(CASE WHEN status = 'open' THEN << a >> ELSE << b >> END) AS n FROM orders
