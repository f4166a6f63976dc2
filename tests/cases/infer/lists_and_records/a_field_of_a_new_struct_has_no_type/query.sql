SELECT count(*) AS n
-- error: [cannot-infer-type]
FROM (SELECT struct(<< x >>) AS s FROM orders) AS t
