SELECT << t?: time >> AS t, << at?: timestamp >> AS at, << z?: timestamptz >> AS z
