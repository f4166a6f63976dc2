SELECT id
FROM orders
WHERE price > 1
  AND (
    status = << status? >>
    OR note = << note? >>
    OR quantity = << quantity? >> AND day IS NOT NULL
  )
