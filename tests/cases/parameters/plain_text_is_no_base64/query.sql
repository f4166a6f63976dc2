SELECT encode(<< b: bytea >>, 'hex') AS hex
