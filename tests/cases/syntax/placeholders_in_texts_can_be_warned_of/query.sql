/*--- { lints: { quoted-placeholder: warn } } ---*/
-- warning: [quoted-placeholder]
SELECT '<< heredoc >>' AS a FROM orders WHERE id = << id >>
