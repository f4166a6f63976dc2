SELECT id
FROM orders
-- error: [raw-placeholder]
WHERE status = {{ status }}
  -- error: [raw-placeholder]
  AND total > ${least}
  -- error: [raw-placeholder]
  AND note = %(note)s
  -- error: [raw-placeholder]
  AND id IN ({ids})
