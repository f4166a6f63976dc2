SELECT id FROM items WHERE size['w'] > << width >> AND tags[1] = << first >> AND tags = << all_of_them >> AND size = << box >>
