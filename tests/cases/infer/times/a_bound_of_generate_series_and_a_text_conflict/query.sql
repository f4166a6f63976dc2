SELECT id
FROM generate_series(1, << x >>) AS g(i)
JOIN orders ON orders.id = g.i
-- error: [conflicting-types]
WHERE status = << x >>
