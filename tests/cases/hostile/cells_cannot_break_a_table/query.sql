SELECT << a: text >> AS a, << b: text >> AS b
