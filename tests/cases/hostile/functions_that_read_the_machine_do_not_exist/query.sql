-- error: [unknown-function]
SELECT pg_read_file('/etc/passwd') AS a,

-- error: [unknown-function]
  getenv('HOME') AS b,

-- error: [unknown-function]
  load_extension('x') AS c
