SELECT count(*) AS n
-- error: [cannot-infer-type]
FROM (SELECT id FROM orders ORDER BY << x >>) AS t
