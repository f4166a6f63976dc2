SELECT count(*) AS n
-- error: [constant-key]
FROM (SELECT id FROM orders ORDER BY << x >>) AS t
