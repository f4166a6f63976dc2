SELECT << t: text >> ->> << key >> AS found
