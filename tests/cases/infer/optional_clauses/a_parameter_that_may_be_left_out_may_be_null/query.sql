SELECT << a: bigint >> AS a, << b?: bigint >> AS b, coalesce(<< b?: bigint >>, 0) AS c, << d = 5 >> AS d FROM orders WHERE id = 1
