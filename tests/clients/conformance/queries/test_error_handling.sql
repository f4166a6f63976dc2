/*---
description: Always fails, by a division by zero that only the data shows.
expose: []
---*/
SELECT 1 / divisor AS quotient
FROM divisors
ORDER BY divisor DESC
