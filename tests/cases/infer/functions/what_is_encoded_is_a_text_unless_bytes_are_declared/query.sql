-- calls: 20
SELECT encode(<< a >>, 'hex') AS a, decode(<< b >>, 'hex') AS b, decode(<< c >>, << encoding >>) AS c, encode(<< d: bytea >>, 'base64') AS d
FROM orders
