SELECT encode(<< b: bytea >>, 'hex') AS hex, << b >> AS b
