-- What the edits of the other file make of it.
SELECT id
FROM orders
WHERE placed_at >= CAST(<< since: date >> AS TIMESTAMP)
  AND placed_at < CAST(<< until: date >> || ' 18:30:00' AS TIMESTAMP)
  AND placed_at <> CAST(<< at >> AS TIMESTAMP)
  AND placed_at < CAST(<< day: date >> || ' 00:00:00' AS TIMESTAMPTZ)
  AND day <> CAST(<< year >> || '-01-01' AS DATE)
  AND placed_at > now() - CAST(<< days: int >> || ' DAY' AS INTERVAL)
  AND placed_at > now() - CAST('1 ' || << unit >> AS INTERVAL)
  AND day BETWEEN << first >>
  AND << last >>
  AND quantity IN (<< one >>,
    << other? >>)
  AND << customer >> = customer_id
  AND coalesce(quantity, << fallback >>) > 0
LIMIT << n >>
OFFSET << skipped >>
