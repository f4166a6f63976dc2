-- calls: one row, five refusals at once
SELECT << b: boolean[] >> AS b, << x: double[] >> AS x, << d: decimal(5,2)[] >> AS d,
  << t: timestamp[] >> AS t, << u: uuid[] >> AS u
