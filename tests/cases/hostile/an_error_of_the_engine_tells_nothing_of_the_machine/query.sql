SELECT CAST(note AS bigint) AS n, << secret: text >> AS s FROM orders WHERE id = 1
