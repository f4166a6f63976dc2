/*--- { params: { sort: { choices: { newest: day DESC } } } } ---*/
SELECT id FROM orders WHERE id <= 3 ORDER BY << sort >>
