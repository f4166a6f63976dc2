SELECT << i?: bigint >> AS i, << x?: double >> AS x, << d?: decimal(5,2) >> AS d, << b?: boolean >> AS b,
  << t?: text >> AS t, << day?: date >> AS day, << at?: timestamptz >> AS at, << span?: interval >> AS span,
  << l?: text[] >> AS l, << r?: struct(a int) >> AS r
