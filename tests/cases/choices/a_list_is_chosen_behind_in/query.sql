/*--- { params: { which: { choices: { few: "'open', 'returned'", one: "'open'" } } } } ---*/
SELECT id FROM orders WHERE status IN (<< which >>) AND NOT (status NOT IN ('x', << which >>, 'y')) ORDER BY id
