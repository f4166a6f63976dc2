SELECT
    min(span) AS shortest,
    max(span) AS longest,
    max(span) FILTER (WHERE id < 3) AS longest_of_two,
    count(DISTINCT span) AS different,
    approx_distinct(span) AS about_as_many,
    array_agg(id ORDER BY span DESC, id) AS by_length
FROM rows
