SELECT << t: time >> AS t
