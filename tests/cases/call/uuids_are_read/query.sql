SELECT << u: uuid >> AS u
