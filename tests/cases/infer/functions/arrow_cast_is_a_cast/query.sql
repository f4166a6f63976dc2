SELECT id, arrow_cast(<< size >>, 'Int64') AS size, arrow_cast(<< at >>, 'Timestamp(Nanosecond, None)') AS at, arrow_try_cast(<< tag >>, 'LargeUtf8') AS tag
FROM orders
WHERE id = arrow_cast(<< id >>, 'Int16') AND day = arrow_cast(<< day: text >>, 'Date32')
