SELECT << n?: int >> AS n, << s?: smallint >> AS s
