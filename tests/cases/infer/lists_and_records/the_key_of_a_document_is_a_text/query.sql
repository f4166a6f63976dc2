SELECT note ->> << key >> AS value
FROM orders
WHERE note -> 'a' ->> 'b' = << text >> AND CAST(note ->> '$.n' AS bigint) > << number >>
