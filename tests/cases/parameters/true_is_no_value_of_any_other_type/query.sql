SELECT << n?: int >> AS n, << x?: double >> AS x, << d?: decimal(5,2) >> AS d, << t?: text >> AS t, << day?: date >> AS day,
  << l?: int[] >> AS l, << j?: json >> AS j
