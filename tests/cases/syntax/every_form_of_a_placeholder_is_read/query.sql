SELECT
  << a: text >> AS a,
  << b: text = 'x' >> AS b,
  << c = 'x' >> AS c,
  << d?: text >> AS d,
  << e?: text = 'x' >> AS e,
  << f? = 'x' >> AS f,
  << g:decimal(10,2)=1.50 >> AS g
FROM orders
WHERE status = << h >> AND status = << i? >>
