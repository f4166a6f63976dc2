SELECT id
FROM orders
WHERE price > 1
  -- warning: [hand-written-clause]
  AND (
    << status? >> IS NULL -- of all
    OR status = << status >>
  )
ORDER BY id
