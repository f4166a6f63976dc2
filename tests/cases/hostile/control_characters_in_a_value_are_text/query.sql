SELECT << t: text >> AS t, octet_length(<< t >>) AS bytes
