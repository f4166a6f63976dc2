/*--- { params: { sort: { choices: { newest: day DESC, oldest: day } } } } ---*/
SELECT id FROM orders
-- error: [invalid-choice]
ORDER BY << sort? >>
