SELECT id
-- error: [invalid-placeholder]
FROM << table_name: text >>
