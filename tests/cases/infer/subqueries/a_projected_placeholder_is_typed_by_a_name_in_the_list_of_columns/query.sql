SELECT count(*) AS n
FROM (SELECT << x >>, << y >>, id FROM orders) AS t(y, x, id)
JOIN types ON types.medium = t.y AND types.label = t.x
