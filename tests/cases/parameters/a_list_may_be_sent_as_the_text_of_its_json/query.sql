SELECT << l: text[] >> AS l
