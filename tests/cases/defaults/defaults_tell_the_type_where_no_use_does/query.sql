SELECT << a = now() >> AS a, << b = current_date >> AS b, << c = 1 + 1 >> AS c, << d = 1 + 0.5 >> AS d, << e = 'a' || 'b' >> AS e,
  << f = 1 < 2 >> AS f, << g = interval '1 day' + interval '2 hours' >> AS g, << h = string_to_array('a,b', ',') >> AS h
