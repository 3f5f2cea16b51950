/* The network once more, as plain as can be: one restart, in double
** precision, straight from the formula. For each rule every binding of its
** variables to the constants of a world is tried, and the value of an atom
** p(x,y) after a step is
**
**   v'(p,x,y) = max of v(p,x,y) and, over rules and bindings whose head is
**               (x,y), of  w(head,p) * and over body atoms i of s_i
**   s_i       = sum (or max) over predicates q of w(slot_i,q) * v(q, args_i)
**
** or, as the authors' code has it (semantics.reference; forward only), the
** maximum over bindings and over choices of a predicate for each slot of
**
**   w(head,p) * product of w(slot,q) * and over body atoms of v(q, args)
**
** It shares no joins, lists or layout with the fast network, only the naming
** of predicates, slots and candidates, and it is what that one is compared
** with. It takes time as the number of bindings and memory as the square of
** the constants: for tests. */
#ifndef PITH_TESTS_PLAIN_H
#define PITH_TESTS_PLAIN_H

#include "net/tape.h"

typedef struct {
  uint32_t rule;    /* 1 + the rule that set the value; 0: it was */
  uint32_t head;    /* candidate of its head                      */
  uint64_t binding; /* its variables as digits, base n            */
} pith_i_plain_win;

/* Atoms are (P, n, n), n over the constants of all worlds; a unary atom p(x)
** is kept as p(x,x). */
typedef struct {
  const pith_i_net *net;
  pith_i_semantics semantics;
  size_t atoms;          /* P * n * n                   */
  double *weight;        /* (C)                         */
  double *dweight;       /* (C)                         */
  double *value;         /* (K+1, atoms)                */
  double *dvalue;        /* (atoms) at the present step */
  double *dbefore;       /* (atoms) one step earlier    */
  pith_i_plain_win *won; /* (K, atoms)                  */
} pith_i_plain;

pith_status pith_i_plain_new(pith_i_env *env, const pith_i_net *net,
                             pith_i_semantics semantics, pith_i_plain **out);
void pith_i_plain_free(pith_i_env *env, pith_i_plain *p);

/* As the functions of net/tape.h. */
void pith_i_plain_forward(pith_i_plain *p);
void pith_i_plain_backward(pith_i_plain *p);
double pith_i_plain_loss_forward(const pith_i_plain *p, double eps);
void pith_i_plain_loss_backward(pith_i_plain *p, double eps);

/* The value of an atom after step k; y is x when the predicate is unary. */
double pith_i_plain_value(const pith_i_plain *p, uint32_t k, uint32_t pred,
                          uint32_t x, uint32_t y);

#endif
