SELECT << n: int >> AS n, << x: double >> AS x, << b: boolean >> AS b, << t: text >> AS t, << d: date >> AS d,
  << l: int[] >> AS l, << s: struct(a int) >> AS s, << u: uuid >> AS u
