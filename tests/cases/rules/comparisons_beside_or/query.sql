SELECT id
FROM orders
WHERE price > 1
  AND (
    -- warning: [null-comparison]
    status = << status? >>
    -- warning: [null-comparison]
    OR note = << note? >>
    -- warning: [null-comparison]
    OR quantity = << quantity? >> AND day IS NOT NULL
  )
