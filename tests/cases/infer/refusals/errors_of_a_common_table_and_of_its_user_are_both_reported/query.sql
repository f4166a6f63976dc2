WITH dear AS (
  SELECT id, price
  FROM orders
-- error: [unknown-column]
  WHERE pricee > << least >>
)
SELECT id
FROM dear
-- error: [unknown-column]
WHERE statuss = << status >>
