-- What the edits of the other file make of it.
SELECT id
FROM orders
WHERE placed_at >= '2024-06-01 12:00:00'
  AND placed_at < '2024-06-02 09:30:00'
  AND placed_at BETWEEN '2024-06-01' AND '2024-06-02 18:00:00'
  AND status = << status >>
