/*---
description: Written numbers that are cast to decimals.
---*/
SELECT
  CAST(123456789012345678.12 AS decimal(20,2)) AS long,
  CAST(-123456789012345678.12 AS decimal(20,2)) AS below,
  12345678901234567890.5::decimal(38,1) AS longer,
  CAST(123456789012345678901234567890 AS decimal(38,2)) AS whole,
  1.005::decimal(10,2) AS rounded,
  (-1.005)::numeric(10,2) AS away,
  0.285::decimal(5,2) AS half,
  0.1::decimal(38,30) AS zeros,
  TRY_CAST(1234.5 AS decimal(4,2)) AS none,
  TRY_CAST(.5 AS decimal(4,2)) AS tried,
  CAST(2.5e1 AS decimal(4,1)) AS exponent,
  1.005::decimal(10,2) * << times: decimal(4,2) >> AS times,
  << rate = 0.5 >> * CAST(1.005 AS decimal(10,2)) AS rated,
  CASE WHEN CAST(0.285 AS decimal(5,2)) = 0.29 THEN 'same' END AS found
