SELECT id, name, city, vip, joined FROM customers WHERE vip
UNION ALL
SELECT
  -- warning: [select-star]
  *
FROM customers
WHERE NOT vip
