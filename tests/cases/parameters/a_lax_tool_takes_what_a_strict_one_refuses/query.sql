SELECT << n?: int >> AS n, << x?: double >> AS x, << b?: boolean >> AS b, << d?: decimal(5,2) >> AS d,
  << l?: int[] >> AS l, << t?: timestamptz >> AS t
