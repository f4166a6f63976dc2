WITH recent AS (
  SELECT
    -- warning: [select-star]
    *
  FROM orders
  WHERE day >= DATE '2024-02-01'
),
listed AS (
  SELECT
    *
  FROM recent
)
SELECT * FROM listed
