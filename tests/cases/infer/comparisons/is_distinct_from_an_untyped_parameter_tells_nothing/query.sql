-- error: [cannot-infer-type]
SELECT count(*) AS n FROM orders WHERE (<< a >> IS DISTINCT FROM << b >>)
