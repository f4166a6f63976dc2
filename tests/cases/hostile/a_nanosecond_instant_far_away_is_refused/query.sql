SELECT << z: timestamptz(9) >> AS z
