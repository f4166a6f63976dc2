SELECT
  id,
  time_bucket(INTERVAL '1 month', placed_at) AS months,
  time_bucket(INTERVAL '1 week', placed_at) AS weeks,
  time_bucket(INTERVAL '2 hours', placed_at) AS hours,
  time_bucket(INTERVAL '10 days', placed_at, << origin: timestamp >>) AS days
FROM orders
WHERE id <= 4
ORDER BY id
