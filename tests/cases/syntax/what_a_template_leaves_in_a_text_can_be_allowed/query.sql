/*--- { lints: { quoted-placeholder: allow } } ---*/
SELECT id FROM orders WHERE note = ':smile' OR note = '{{ note }}'
