/*--- { lints: { quoted-placeholder: allow } } ---*/
SELECT '<< status >>' AS a, 'it''s << x' AS b, E'\' << y >>' AS c, '[[ AND z ]]' AS d
FROM orders
