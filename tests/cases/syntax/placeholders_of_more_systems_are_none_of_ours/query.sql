SELECT id
FROM orders
-- error: [raw-placeholder]
WHERE status = #{status}
  -- error: [raw-placeholder]
  AND price > ${least:-3}
  -- error: [raw-placeholder]
  AND status <> <other>
  -- error: [raw-placeholder]
  AND price < %s
  -- error: [raw-placeholder]
  AND status <> {state:String}
  -- error: [raw-placeholder]
  AND price <> {{ params.price }}
