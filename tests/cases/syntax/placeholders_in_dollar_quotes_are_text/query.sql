/*--- { lints: { quoted-placeholder: allow } } ---*/
SELECT $$ << x >> it's ? $$ AS a, $tag$ << y >> $$ $1 $tag$ AS b
FROM orders
