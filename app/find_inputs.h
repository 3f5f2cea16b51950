/* Finding inputs below a folder. */
#ifndef APP_FIND_INPUTS_H
#define APP_FIND_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "pith.h"

typedef struct {
  char **at;
  size_t n, cap;
  char *refused; /* the folder that could not be entered, or NULL */
} path_list;

/* A folder with train.tsv, train.txt and the like, plain or packed. */
bool is_graph_folder(const char *path);
/* A folder that is read as one: it has bk.pl or exs.pl, or is a graph. */
bool is_task_folder(const char *path);
bool is_folder(const char *path);
/* By name, or by another name of the same file that is there. */
bool is_same_file(const char *a, const char *b);
bool has_file(const char *folder, const char *name); /* plain or packed */

/* Whether an operand is an atom, such as likes(ann,X), and not a file. */
bool is_atom_operand(const char *operand);

/* folder/name and what it ends with; to be freed. NULL: no memory. */
char *path_join(const char *folder, const char *name, const char *end);

/* The format that pith reads a file of this name as, without folders; NULL:
** the name does not say. */
const pith_format_info *format_by_name(const char *name);

/* Behind the last slash. */
const char *path_last(const char *path);

/* Adds every task folder and every file that pith can read by its name below
** the folder, each folder's entries in the order of their names. What is in a
** task folder is added once, as the folder; folders inside it are walked.
** False when memory or a folder is refused, with errno and out->refused set. */
bool find_inputs(const char *folder, path_list *out);
bool path_list_add(path_list *p, const char *path); /* copies */
void path_list_free(path_list *p);

#endif
