-- calls: 2, 0
SELECT count(*) AS n
FROM generate_series(<< a >>, << b >>) AS g(i)
JOIN range(<< c >>) AS r(j) ON r.j = g.i
