SELECT tags[1:2] AS two, '5'::bigint AS five, {'a': id} AS record
FROM items
