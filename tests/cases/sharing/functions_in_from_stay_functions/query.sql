SELECT s.value, count(c.id) AS n
FROM generate_series(1, << last >>) AS s LEFT JOIN cheap(most => << top >>) AS c ON c.quantity = s.value
GROUP BY s.value
ORDER BY s.value
