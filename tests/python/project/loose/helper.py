NAME = "loose"
