/*--- { params: { sort: { choices: { newest: day DESC, oldest: day }, default: newest } } } ---*/
SELECT id FROM orders WHERE id <= 3 ORDER BY << sort >>
