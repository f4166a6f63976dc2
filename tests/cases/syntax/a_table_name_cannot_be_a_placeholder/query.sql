SELECT id
-- error: [syntax-error]
FROM << table_name: text >>
