inline void searched() { kernel<<<3, 4>>>(); }
