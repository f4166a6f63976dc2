SELECT << p: struct(name text, age int, vip boolean) >> AS p
