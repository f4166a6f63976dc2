WITH a AS (SELECT id FROM orders WHERE day > << x >>)
SELECT id
FROM a
-- error: [conflicting-types]
WHERE id = << x >>
