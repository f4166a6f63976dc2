SELECT << t: text >> AS t, char_length(<< t >>) AS characters
