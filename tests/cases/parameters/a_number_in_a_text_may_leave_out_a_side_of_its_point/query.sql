SELECT << x: double >> AS x
