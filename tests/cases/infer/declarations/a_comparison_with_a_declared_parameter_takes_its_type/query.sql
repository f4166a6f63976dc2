SELECT count(*) AS n FROM orders WHERE << a >> >= << b: date >> AND << c: bigint[] >> = << d >>
