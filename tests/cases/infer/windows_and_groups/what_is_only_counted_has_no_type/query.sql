-- error: [cannot-infer-type]
SELECT count(<< a >>) AS n FROM orders
