SELECT << t: text >> AS t
