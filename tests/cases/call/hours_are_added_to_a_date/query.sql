SELECT id, due + interval '12 hours' AS noon, interval '24 hours' + due AS behind, due - interval '1 second' AS before,
  due + interval '2 days' AS later, due + interval '1 month' - interval '1 minute' AS month_end,
  due - '90 minutes'::interval AS evening, due + interval '12 hours' = at AS at_noon,
  due + interval '12 hours' <= << p >> AS is_by,
  count(*) OVER (ORDER BY due RANGE BETWEEN interval '23 hours' PRECEDING AND CURRENT ROW) AS of_a_day,
  << s: timestamp = DATE '2024-05-01' - interval '12 hours' >> AS since
FROM t
ORDER BY id
