/*---
params: { sort: { choices: { newest: placed_at DESC, id: id } } }
---*/
SELECT id, date_trunc(<< unit: text >>, placed_at) AS period
FROM orders
ORDER BY << sort >>, date_trunc(<< unit >>, placed_at), id * << factor: int >>, random() * << spread: double >>,
         CASE WHEN << descending: boolean >> THEN id END, (SELECT max(id) + << more: int >> FROM orders), 1
