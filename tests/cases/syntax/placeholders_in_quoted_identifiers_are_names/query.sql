/*--- { lints: { quoted-placeholder: allow } } ---*/
SELECT id AS "<< id >>", status AS "[[ AND $1 ]]", note AS `<< note >>`
FROM orders
