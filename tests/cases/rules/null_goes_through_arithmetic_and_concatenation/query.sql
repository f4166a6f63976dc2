SELECT id
FROM orders
-- warning: [null-comparison]
WHERE note ILIKE '%' || << words?: text >> || '%'
  -- warning: [null-comparison]
  AND price > CAST(<< least?: text >> AS double) * 2
