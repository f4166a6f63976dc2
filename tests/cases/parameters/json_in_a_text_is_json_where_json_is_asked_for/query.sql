SELECT << j: json >> AS j, << t: text >> AS t
