NAME = "pack"
