SELECT << d?: date >> AS d, << t?: timestamp >> AS t, << z?: timestamptz >> AS z, << i?: interval >> AS i
