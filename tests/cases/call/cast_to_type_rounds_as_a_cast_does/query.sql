SELECT id, cast_to_type(price, id) AS whole, CAST(price AS bigint) AS cast_price, cast_to_type(2.5, 1) AS two,
    try_cast_to_type(<< word: text >>, 1) AS word
FROM orders
WHERE cast_to_type(price, id) = << whole >>
