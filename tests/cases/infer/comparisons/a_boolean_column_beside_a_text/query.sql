SELECT id
FROM types
-- error: [invalid-query]
WHERE flag = 'true'
  -- error: [invalid-query]
  AND flag <> 't'
  -- error: [invalid-query]
  AND flag IN ('true', 'f')
  -- error: [invalid-query]
  AND flag = 'maybe'
  AND id = << id >>
