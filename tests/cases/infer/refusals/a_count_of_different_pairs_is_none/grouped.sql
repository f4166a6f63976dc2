SELECT
  customer_id,
  -- error: [cannot-run]
  COUNT( DISTINCT coalesce(o.status, 'none (yet)') , o.day ) FILTER (WHERE price > << least >>) AS n
FROM orders AS o
GROUP BY customer_id
ORDER BY customer_id
