SELECT id
FROM types
-- error: [invalid-default]
WHERE amount = << amount = 1.005 >>
