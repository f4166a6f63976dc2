SELECT id, valid_to > now() AS is_valid, valid_to > CAST('2024-02-29T23:30:00Z' AS timestamptz) AS after_an_instant
FROM v
WHERE valid_to >= << at: timestamptz >>
ORDER BY id
