-- calls: 0 20 0 0, 6 14 6 6
SELECT
  count(*) FILTER (WHERE status IN << statuses >>) AS inside,
  count(*) FILTER (WHERE status NOT IN << statuses >>) AS outside,
  count(*) FILTER (WHERE status = ANY(<< statuses >>)) AS equal_to_any,
  count(*) FILTER (WHERE array_has(<< statuses >>, status)) AS had
FROM orders
