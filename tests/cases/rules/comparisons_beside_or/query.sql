SELECT id
FROM orders
WHERE price > 1
  -- warning: [null-comparison]
  AND (
    status = << word? >>
    OR note = << word? >> AND day IS NOT NULL
  )
