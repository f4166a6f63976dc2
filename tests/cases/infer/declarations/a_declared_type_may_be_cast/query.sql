-- calls: 1, 0, an error
SELECT count(*) AS n FROM orders WHERE day = CAST(<< a: text >> AS date) AND quantity >= << b: text >>::int
