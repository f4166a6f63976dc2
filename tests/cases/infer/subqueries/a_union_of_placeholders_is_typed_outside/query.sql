SELECT count(*) AS n
FROM (SELECT << a >> AS x UNION ALL SELECT << b >>) AS t
JOIN customers ON customers.city = t.x
