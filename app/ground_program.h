/* What SWI-Prolog runs for convert --ground: the goal, and the seven parts of
** the program. It gets these parts as arguments, and then: whether to trust
** (yes or no), bk.pl, exs.pl, the predicates to ask for, and whether examples
** are wanted. */
#ifndef APP_GROUND_PROGRAM_H
#define APP_GROUND_PROGRAM_H

extern const char ground_goal[], ground_asker[], ground_modes[], ground_reach[],
    ground_tests[], ground_rounds[], ground_writer[], ground_loader[];

#endif
