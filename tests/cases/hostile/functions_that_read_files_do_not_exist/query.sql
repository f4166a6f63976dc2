SELECT *
-- error: [unknown-function]
FROM read_csv('/etc/passwd')
