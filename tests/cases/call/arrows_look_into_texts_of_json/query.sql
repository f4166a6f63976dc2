WITH documents (id, j) AS (
    VALUES
    (1, '{"a": {"b": 1.10, "s": "x"}, "xs": [1, 2, 3], "n": null}'),
    (2, '{"a": {"b": "8", "s": "x"}, "xs": [], "x.y": true}'),
    (3, NULL),
    (4, '[{"a": 9007199254740993}, "é"]')
)
SELECT id, j -> 'a' AS a, j ->> 'n' AS n, j -> 'n' AS null_of_json, j ->> '$.a.b' AS b, j -> 'a' ->> 's' AS s,
       j ->> '$.xs[-1]' AS last, j -> 0 ->> 'a' AS large, j ->> 1 AS second, j ->> '$."x.y"' AS dotted,
       json_array_length(j) AS items, json_array_length(j, '$.xs') AS xs, json_exists(j, 'n') AS has_n,
       json_valid(j || '}') AS is_valid
FROM documents
WHERE j -> 'a' ->> 's' = << name >> OR CAST(j ->> '$.xs[0]' AS bigint) < << least >> OR id >= 3
ORDER BY id
