SELECT id, CASE WHEN flag THEN amount ELSE 0 END AS amount
FROM types
-- error: [invalid-query]
WHERE amount = label
   -- error: [invalid-query]
   OR amount IN (label, '3.5')
   -- error: [invalid-query]
   OR coalesce(amount, label) = 1
   -- error: [invalid-query]
   OR amount = 'none'
