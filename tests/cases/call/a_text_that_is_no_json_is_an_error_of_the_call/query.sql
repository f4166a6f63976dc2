SELECT << t: text >> ->> 'a' AS a
