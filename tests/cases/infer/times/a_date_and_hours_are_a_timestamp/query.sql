SELECT day + interval '12 hours' AS noon, day - interval '2 days' AS before, current_date - interval '1 second' AS evening
FROM orders
WHERE day + interval '12 hours' <= << a >> AND day + interval '1 month' <= << b >>
  AND DATE '2024-05-01' - INTERVAL '90' MINUTE > << c >> AND << d >> + interval '12 hours' < placed_at
