SELECT CAST(<< t: text >> AS bigint) AS n
