/* What a character outside ASCII may be in a name: small tables, enough to
** tell a variable from a name in the Latin, Greek and Cyrillic scripts; all
** other letters, which know no capitals, start names. */
#ifndef PITH_TEXT_LETTERS_H
#define PITH_TEXT_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

bool pith_i_is_letter(uint32_t code);  /* code >= 0x80: may be in a name */
bool pith_i_is_capital(uint32_t code); /* starts a variable */

#endif
