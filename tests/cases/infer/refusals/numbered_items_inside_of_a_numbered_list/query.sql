-- error: [invalid-query]
SELECT tag, at
FROM unnest((
    SELECT array_agg(inner_tag)
    FROM unnest(['red', 'blue']) WITH ORDINALITY AS i(inner_tag, inner_at)
    WHERE inner_at < << most >>
)) WITH ORDINALITY AS t(tag, at)
