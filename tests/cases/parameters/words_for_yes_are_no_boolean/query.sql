SELECT << b: boolean >> AS b
