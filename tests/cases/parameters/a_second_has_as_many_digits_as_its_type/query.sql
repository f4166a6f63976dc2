SELECT << s?: timestamp(0) >> AS s, << m?: timestamp(3) >> AS m, << z?: timestamptz(3) >> AS z
