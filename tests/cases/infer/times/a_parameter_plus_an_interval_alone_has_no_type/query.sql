-- error: [cannot-infer-type]
SELECT count(<< a >> + INTERVAL '1 day') AS n FROM orders
