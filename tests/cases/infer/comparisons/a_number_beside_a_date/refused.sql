SELECT id
FROM types
-- error: [invalid-query]
WHERE moment > 1706695200
  -- error: [invalid-query]
  AND day < amount
  -- error: [invalid-query]
  AND clock > 9
  -- error: [invalid-query]
  AND moment - moment > 7
  -- error: [invalid-query]
  AND flag = 1
