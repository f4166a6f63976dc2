SELECT id
FROM types
-- error: [invalid-default]
WHERE small > << least = 39999 + 1 >>
