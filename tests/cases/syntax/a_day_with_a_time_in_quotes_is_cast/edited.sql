-- What the edits of the other file make of it.
SELECT id
FROM orders
WHERE placed_at BETWEEN << a >>
  AND CAST(<< b: date >> || ' 23:59:59' AS TIMESTAMP)
  AND placed_at >= CAST(<< c: date >> AS TIMESTAMP)
  AND placed_at < CAST(<< d: date >> || ' 18:30:00' AS TIMESTAMP)
