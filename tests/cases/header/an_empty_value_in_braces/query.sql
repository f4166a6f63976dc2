/*---
description: Orders.
params: { status: { description: The status., from: , min_length: 1 }, least: { maximum: } } # error: [invalid-value]
---*/
SELECT id FROM orders WHERE status = << status >> AND total > << least >>
