WITH spans AS (
    SELECT *
    FROM (
        VALUES
        (1, interval '1 day', interval '48 hours'),
        (2, interval '1 month', interval '30 days'),
        (3, interval '1 year', interval '364 days'),
        (4, interval '-1 day', interval '-25 hours'),
        (5, interval '24 hours', interval '1 day'),
        (6, NULL, interval '1 day')
    ) AS v (id, a, b)
)

SELECT
    id,
    a < b AS less,
    a = b AS same,
    a <> b AS other,
    a IS DISTINCT FROM b AS distinct_from,
    a BETWEEN b AND interval '40 days' AS between_them,
    a IN (b, interval '2 days') AS among,
    a NOT IN (interval '1440 minutes') AS no_day,
    CASE a WHEN interval '24 hours' THEN 'day' WHEN interval '30 days' THEN 'month' ELSE 'other' END AS named,
    nullif(a, b) AS unless_same,
    greatest(a, b, interval '1 hour') AS longest,
    least(a, b, interval '100 days') AS shortest,
    (SELECT count(*) FROM spans AS s WHERE s.a IN (SELECT o.b FROM spans AS o)) AS among_rows,
    (SELECT count(*) FROM spans AS s WHERE s.a > ANY (SELECT o.b FROM spans AS o WHERE o.id < 3)) AS above_any,
    a < << limit_span: interval >> AS below
FROM spans
WHERE a IS NULL OR a IN << spans: interval[] >> OR a > interval '1439 minutes'
ORDER BY a NULLS FIRST, id
