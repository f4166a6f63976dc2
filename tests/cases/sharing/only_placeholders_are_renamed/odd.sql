/*--- { kind: view, lints: { quoted-placeholder: allow, commented-placeholder: allow } } ---*/
SELECT id, price, '<< price >>' AS word, note AS "<< price >>" /* << price >> */
FROM orders -- << price >>
WHERE price < << price >>
