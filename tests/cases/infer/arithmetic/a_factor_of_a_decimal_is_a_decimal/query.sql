/*---
description: Parameters that multiply decimals, and what such a product is compared with.
---*/
SELECT id
FROM types
WHERE amount * << rate >> > 10
  AND amount * 1.1 > << gross >>
  AND << pieces >> * 1.5 > amount
  AND amount * (1 - << rebate >>) > << least >>
  AND coalesce(amount, 0.0) < << most >>
  AND medium * << each >> < amount
  AND dbl * << other >> < amount
  AND amount / << parts >> > 1
