SELECT sale.id, sale.day, rate.day AS rate_day, rate.value
FROM sales AS sale
LEFT JOIN LATERAL (
  SELECT r.day, r.value
  FROM rates AS r
  WHERE r.currency = << currency >> AND r.day <= sale.day
  ORDER BY r.day DESC, r.value
  LIMIT << most >>
) AS rate ON true
ORDER BY sale.id, rate.day DESC, rate.value
