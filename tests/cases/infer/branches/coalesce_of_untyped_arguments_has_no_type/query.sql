-- error: [cannot-infer-type]
SELECT count(coalesce(<< a >>, << b >>)) AS n FROM orders
