SELECT o.id
-- error: [unknown-table]
FROM orderz AS o

-- error: [unknown-table]
JOIN custmers AS c ON c.id = o.customer_id
WHERE EXISTS (
  -- error: [unknown-table]
  SELECT 1 FROM itemz
)
