-- error: [cannot-infer-type]
SELECT count(*) AS n FROM orders WHERE << a? >> IS NULL OR << b? >> IS NOT NULL
