SELECT
  << a: boolean >> AS a, << b: smallint >> AS b, << c: int >> AS c, << d: bigint >> AS d, << e: real >> AS e,
  << f: double >> AS f, << g: decimal(10,2) >> AS g, << h: text >> AS h, << i: date >> AS i, << j: time >> AS j,
  << k: timestamp >> AS k, << l: timestamptz >> AS l, << m: interval >> AS m, << n: uuid >> AS n, << o: bytea >> AS o,
  << p: json >> AS p, << q: int[] >> AS q, << r: struct(a int, b text[]) >> AS r, << s: struct(a int)[] >> AS s
