SELECT count(*) AS n FROM orders WHERE nvl(note, << a >>) = 'x' AND ifnull(<< b? >>, quantity) > 3
