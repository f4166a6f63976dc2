/*--- { params: { sort: { choices: { newest: day DESC, oldest: day } } } } ---*/
SELECT id FROM orders WHERE id <= 3 ORDER BY << sort: text = 'oldest' >>
