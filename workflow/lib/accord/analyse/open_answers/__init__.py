"""What answers in words say of the person in a picture: pronouns, occupations, words that insult. Texts stay apart."""
