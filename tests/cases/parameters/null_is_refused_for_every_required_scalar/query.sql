SELECT << i: bigint >> AS i, << x: double >> AS x, << d: decimal(5,2) >> AS d, << b: boolean >> AS b,
  << t: text >> AS t, << day: date >> AS day, << span: interval >> AS span, << u: uuid >> AS u
