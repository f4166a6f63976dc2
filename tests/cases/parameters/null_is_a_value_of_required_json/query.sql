SELECT << j: json >> AS j
