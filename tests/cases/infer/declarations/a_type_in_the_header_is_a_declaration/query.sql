/*---
params: { unit: { type: text }, ids: { type: "bigint[]" } }
---*/
SELECT date_trunc(<< unit >>, placed_at) AS period FROM orders WHERE array_has(<< ids >>, quantity)
