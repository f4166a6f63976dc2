SELECT << t: text >> AS t, length(<< t >>) AS characters
