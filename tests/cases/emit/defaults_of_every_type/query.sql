/*---
params: { h: { default: [open, shipped] }, i: { default: { w: 1, h: 2 } } }
---*/
SELECT
  << a = 5 >> AS a, << b = 1.5 >> AS b, << c = 'text' >> AS c, << d = true >> AS d, << e = DATE '2024-02-29' >> AS e,
  << f = INTERVAL '1 day' >> AS f, << g: decimal(10,2) = 1.50 >> AS g, << h >> AS h,
  << i: struct(w int, h int) >> AS i, << j = [1, 2] >> AS j
