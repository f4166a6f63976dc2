-- calls: 1
SELECT
  CAST(<< tiny >> AS TINYINT UNSIGNED) AS tiny,
  CAST(<< small >> AS SMALLINT UNSIGNED) AS small,
  CAST(<< medium >> AS INT UNSIGNED) AS medium,
  CAST(<< big >> AS BIGINT UNSIGNED) AS big
