SELECT
  << a: integer >> AS a, << b: int8 >> AS b, << c: varchar(20) >> AS c, << d: double precision >> AS d, << e: numeric(5) >> AS e,
  << f: timestamp with time zone >> AS f, << g: timestamp(3) >> AS g, << h: BOOL >> AS h, << i: jsonb >> AS i, << j: text[][] >> AS j
