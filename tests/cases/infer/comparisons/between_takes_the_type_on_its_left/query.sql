SELECT id FROM orders WHERE price BETWEEN << a >> AND << b >> AND day NOT BETWEEN << c >> AND << d >>
