SELECT count(*) AS n
FROM (VALUES (<< a >>, 'x'), (<< b >>, << c >>)) AS t(id, label)
JOIN orders ON orders.id = t.id
WHERE t.label = << d >>
