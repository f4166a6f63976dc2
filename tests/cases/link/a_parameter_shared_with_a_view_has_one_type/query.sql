SELECT id
FROM by_id
-- error: [conflicting-types]
WHERE status = << x >>
