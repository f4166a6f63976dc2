SELECT id FROM orders
WHERE status IN << statuses = ARRAY['re' || 'turned', upper('x')] >>
  AND id IN << ids = make_array(1 + 2, 9, 10) >>
  AND NOT array_has(<< words = string_to_array('a,b', ',') >>, note)
ORDER BY id
