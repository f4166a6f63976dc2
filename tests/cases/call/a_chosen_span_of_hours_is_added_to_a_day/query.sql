-- where a span of hours is chosen from, days become instants
SELECT id, day + CASE WHEN id = << hour_of >> THEN INTERVAL '1 hour' ELSE INTERVAL '2 days' END AS one,
  day + coalesce(CASE WHEN id = << hour_of >> THEN INTERVAL '90 minutes' END, INTERVAL '1 day') AS other,
  day + CASE WHEN id = << hour_of >> THEN INTERVAL '1 day' ELSE INTERVAL '2 days' END AS days
FROM orders
ORDER BY id
LIMIT 2
