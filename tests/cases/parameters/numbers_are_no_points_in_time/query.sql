SELECT << d?: date >> AS d, << t?: time >> AS t, << at?: timestamp >> AS at, << z?: timestamptz >> AS z, << i?: interval >> AS i
