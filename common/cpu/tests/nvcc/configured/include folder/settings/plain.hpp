#pragma once

inline int plain(int x) { return x + 5; }
