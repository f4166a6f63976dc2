SELECT
  sale.id,
  (SELECT r.value FROM rates AS r WHERE r.day <= sale.day AND r.value <= << most >> ORDER BY r.day DESC, r.value LIMIT 1) AS latest,
  (SELECT count(*) FROM rates AS r WHERE r.day <= sale.day) AS before,
  (SELECT sum(r.value) FROM rates AS r WHERE r.day < sale.day) AS sum_before
FROM sales AS sale
WHERE (SELECT count(r.value) FROM rates AS r WHERE r.day > sale.day OR r.day IS NULL) > 1
ORDER BY sale.id
