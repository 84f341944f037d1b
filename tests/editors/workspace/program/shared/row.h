#define ROW 8
