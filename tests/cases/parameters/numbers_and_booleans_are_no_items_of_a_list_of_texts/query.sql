SELECT << words: text[] >> AS words
