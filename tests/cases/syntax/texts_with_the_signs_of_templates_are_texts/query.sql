/*--- { lints: { quoted-placeholder: deny } } ---*/
SELECT id, '{{ name }} and ${total}' AS letter, regexp_replace(note, '(?P<word>[a-z]+)', '${word}') AS word
FROM orders
WHERE note NOT IN ('{}', '{1,2}', '{"a": 1}', '$1', ':-)', '12:30', '%(a)%', ': a', '${1}', '{{', '?', '@name')
  AND note NOT LIKE '%(c)s%' AND note NOT LIKE ':c'
