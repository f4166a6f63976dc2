-- calls: 1
SELECT make_array(1, null, << a >>) AS a, make_array(null, << b >>, 'b') AS b, make_array(1.5, << c >>) AS c, [1, null, << d >>] AS d
