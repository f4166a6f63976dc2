SELECT << t = 'x' >> AS t, << l = [1, 2] >> AS l, << b = true >> AS b, << n = 5 >> AS n
