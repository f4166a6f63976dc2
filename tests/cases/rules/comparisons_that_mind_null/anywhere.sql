SELECT id
FROM orders
WHERE (<< status? >> IS NOT NULL AND status = << status? >> OR << status? >> IS NULL AND note IS NULL)
  AND (note = << note? >> AND price > 1)
  AND << note? >> IS NOT NULL
