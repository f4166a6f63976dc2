NAME = " late"
