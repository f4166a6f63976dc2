SELECT
  -- error: [invalid-query]
  array(SELECT id FROM orders) AS ids
