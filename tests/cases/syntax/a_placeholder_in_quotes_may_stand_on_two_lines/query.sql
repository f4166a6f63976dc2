SELECT id FROM orders WHERE status =
-- error: [quoted-placeholder]
'<< status
>>'
