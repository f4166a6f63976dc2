SELECT NULL AS note, [] AS none, [NULL] AS nulls, {'a': NULL, 'b': << b: int >>} AS record, id
FROM (SELECT NULL AS id UNION ALL SELECT 7) AS t
ORDER BY id
