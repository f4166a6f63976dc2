SELECT o.id
FROM orders AS o
-- warning: [hand-written-clause]
JOIN customers AS c ON c.id = o.customer_id AND (<< city? >> IS NULL OR c.city = << city >>)
-- warning: [hand-written-clause]
WHERE (o.status = << status >> OR << status >> IS NULL)
  -- warning: [hand-written-clause]
  AND (
    << word?: text >> IS NULL
    OR o.note ILIKE << word >>
    OR c.name ILIKE << word >>
  )
  -- warning: [hand-written-clause]
  AND ((<< ids? >> IS NULL) OR (o.id IN << ids >>))
  -- warning: [hand-written-clause]
  AND o.day >= coalesce(<< since? >>, o.day)
  -- warning: [hand-written-clause]
  AND nvl(<< quantity >>, quantity) = quantity
ORDER BY o.id
