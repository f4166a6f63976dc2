/*--- { params: { sort: { choices: { newest: day DESC, oldest: day, worst: price } } } } ---*/
SELECT id FROM orders WHERE id <= 3 ORDER BY << sort >>, id
