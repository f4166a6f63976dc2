SELECT
  id,
  EXISTS (SELECT 1 FROM customers WHERE types.small = types.small AND customers.id > << beyond: bigint >>) AS is_there,
  NOT EXISTS (SELECT 1 FROM customers WHERE types.small = types.small) AS is_missing,
  small IN (SELECT other.small FROM types AS other WHERE types.big = types.big) AS is_within
FROM types
WHERE EXISTS (SELECT 1 FROM customers WHERE types.small = types.small) OR id = 3
ORDER BY id
