SELECT id
FROM orders
-- error: [invalid-query]
WHERE id = 'abc'
  -- error: [invalid-query]
  AND day >= 'soon'
  -- error: [invalid-query]
  AND quantity IN ('1', 'two')
  AND status = << status >>
