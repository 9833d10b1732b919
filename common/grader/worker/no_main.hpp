// A worker calls the function of a contract, and no main, which takes a third of the time to
// compile: a function that nobody calls and no other file sees takes none.
#define main static __attribute__((unused)) main_of_program
#define weak unused // the main of a solution that later exercises use is weak, and cannot be static
