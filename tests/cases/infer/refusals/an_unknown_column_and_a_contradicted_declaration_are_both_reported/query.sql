SELECT id
FROM orders
-- error: [conflicting-types]
WHERE day = << x: boolean >>
-- error: [unknown-column]
  AND statuss = 'open'
