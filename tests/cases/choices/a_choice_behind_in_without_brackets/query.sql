/*--- { params: { which: { choices: { few: "'open', 'returned'", one: "'open'" } } } } ---*/
-- error: [invalid-choice]
SELECT id FROM orders WHERE status IN << which >> ORDER BY id
