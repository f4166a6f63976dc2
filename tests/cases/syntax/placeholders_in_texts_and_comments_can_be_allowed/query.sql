/*--- { lints: { quoted-placeholder: allow, commented-placeholder: deny } } ---*/
SELECT '<< heredoc >>' AS a, "id" AS "<< id >>", $$[[ AND b ]]$$ AS c
FROM orders
-- error: [commented-placeholder]
-- WHERE id = << id >>
