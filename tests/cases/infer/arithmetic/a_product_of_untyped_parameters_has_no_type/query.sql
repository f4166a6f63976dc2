-- error: [cannot-infer-type]
SELECT count(<< a >> * << b >>) AS n FROM orders
