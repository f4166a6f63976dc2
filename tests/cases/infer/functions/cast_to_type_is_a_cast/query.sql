-- calls: 1
SELECT id, cast_to_type(<< size >>, quantity) AS size, try_cast_to_type(<< word >>, note) AS word,
    cast_to_type(<< much >>, << like: double >>) AS much
FROM orders
WHERE day = cast_to_type(<< day >>, day) AND placed_at >= cast_to_type(<< since >>, NULL::date)
    AND id = cast_to_type(<< id: text >>, 1)
