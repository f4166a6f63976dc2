-- NaN for one infinity however it is computed: of all rows, of groups, of frames that slide; 0 for one number
SELECT id,
  (SELECT var_pop(dbl) FROM types WHERE id = << one >>) AS whole,
  (SELECT max(v) FROM (SELECT stddev_pop(dbl) AS v FROM types WHERE id = << one >> GROUP BY id) AS g) AS grouped,
  var_pop(dbl) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND CURRENT ROW) AS sliding
FROM types
ORDER BY id
