/*---
source: shop
---*/
SELECT 10 / << by: int >> AS share, CAST(<< at: text >> AS DATE) AS day,
  CAST(9223372036854775807 + << more: bigint >> AS SIGNED) AS sum, 'open' REGEXP << pattern: text >> AS is_open
