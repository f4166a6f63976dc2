SELECT id, name, metres, place FROM near WHERE metres < << metres >> ORDER BY metres
