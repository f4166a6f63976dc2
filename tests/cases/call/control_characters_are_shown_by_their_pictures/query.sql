SELECT id, 'a' || chr(9) || 'b' || chr(1) || chr(127) || chr(10) || 'c' AS marked, 'plain' AS plain, '␉' AS picture
FROM orders WHERE id = << id >>
