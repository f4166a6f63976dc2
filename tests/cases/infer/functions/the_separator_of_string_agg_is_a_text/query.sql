SELECT count(*) AS n
FROM (
  SELECT string_agg(DISTINCT status, << separator >> ORDER BY status) AS all_of_them FROM orders
) AS t
WHERE all_of_them = << joined >>
