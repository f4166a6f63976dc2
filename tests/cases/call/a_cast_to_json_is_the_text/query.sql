SELECT id, raw::json -> 'k' AS k, CAST(raw AS jsonb) ->> 'k' AS text
FROM (VALUES (1, '{"k": 1}'), (2, '{"k": "x"}'), (3, NULL)) AS v(id, raw)
WHERE id <= << last: bigint >>
ORDER BY id
