/*--- { lints: { quoted-placeholder: allow } } ---*/
SELECT id, price, word, "<< price >>" FROM odd(price => << top >>) ORDER BY id
