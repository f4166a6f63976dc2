-- error: [cannot-infer-type]
SELECT count(*) AS n FROM orders WHERE << a >> = ANY(<< b >>)
