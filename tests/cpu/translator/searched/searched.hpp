int searched_plain;
