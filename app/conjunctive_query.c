#include "conjunctive_query.h"

#include <ctype.h>
#include <string.h>

#include "select_facts.h"

/* Behind what is quoted at s. */
static const char *skip_quoted(const char *s) {
  char quote = *s++;
  while (*s != '\0' && *s != quote)
    s += *s == '\\' && s[1] != '\0' ? 2 : 1;
  return *s == '\0' ? s : s + 1;
}

bool is_conjunction(const char *query) {
  int depth = 0;
  for (const char *s = query; *s != '\0';) {
    if (*s == '\'' || *s == '"') {
      s = skip_quoted(s);
      continue;
    }
    depth += (*s == '(') - (*s == ')');
    if (depth == 0 && (*s == ',' || *s == '<' || *s == '>' || *s == '=' ||
                       (*s == '\\' && (s[1] == '+' || s[1] == '='))))
      return true;
    s++;
  }
  return false;
}

static bool is_letter(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_known(const conjunction *c, const char *name, size_t n) {
  for (size_t i = 0; i < c->count; i++)
    if (strlen(c->variables[i]) == n && memcmp(c->variables[i], name, n) == 0)
      return true;
  return false;
}

/* The names that start with a capital; those with an underscore are not asked
** for. */
static void find_variables(conjunction *c, const char *query) {
  for (const char *s = query; *s != '\0';) {
    if (*s == '\'' || *s == '"') {
      s = skip_quoted(s);
      continue;
    }
    size_t n = 0;
    while (is_letter(s[n]))
      n++;
    if (n > 0 && n < sizeof c->variables[0] && isupper((unsigned char)*s) &&
        c->count < MOST_VARIABLES && !is_known(c, s, n)) {
      memcpy(c->variables[c->count], s, n);
      c->variables[c->count++][n] = '\0';
    }
    s += n > 0 ? n : 1;
  }
}

static void put_head(const conjunction *c, pith_out *o) {
  pith_out_print(o, "%s", c->name);
  for (size_t i = 0; i < c->count; i++)
    pith_out_print(o, "%s%s", i == 0 ? "(" : ",", c->variables[i]);
  if (c->count > 0)
    pith_out_print(o, ")");
}

static int read_rule(session *s, const char *text, size_t n) {
  size_t remarks = pith_remark_count(s->p);
  pith_status rc = pith_read_text(s->p, "--query", text, n, PITH_PROLOG);
  if (rc >= 0)
    return 0;
  return rc == PITH_ENOMEM ? session_fail(s, rc) : session_refuse(s, remarks);
}

int conjunction_add(session *s, conjunction *c, const pith_atom **head) {
  const char *query = s->set.query;
  size_t n = strlen(query), length;
  pith_out *o = NULL;
  *c = (conjunction){.count = 0};
  find_variables(c, query);
  bool taken = pith_pred_find(s->p, "answer", c->count) != PITH_NONE;
  snprintf(c->name, sizeof c->name, taken ? "pith_answer" : "answer");
  while (n > 0 && (query[n - 1] == '.' || query[n - 1] == ' '))
    n--;
  pith_status rc = pith_out_memory(s->p, &o);
  if (rc < 0)
    return session_fail(s, rc);
  put_head(c, o);
  pith_out_print(o, " :- %.*s.", (int)n, query);
  const char *text = pith_out_text(o, &length);
  int code =
      text == NULL ? session_fail(s, PITH_ENOMEM) : read_rule(s, text, length);
  pith_out_close(o, false);
  if (code != 0 || (rc = pith_out_memory(s->p, &o)) < 0)
    return code != 0 ? code : session_fail(s, rc);
  put_head(c, o);
  text = pith_out_text(o, NULL);
  rc = text == NULL ? PITH_ENOMEM : pith_atom_read(s->p, text, head);
  pith_out_close(o, false);
  return rc < 0 ? session_fail(s, rc) : 0;
}

/* ---- CSV -------------------------------------------------------------- */

typedef struct {
  const pith *p;
  const pith_atom *head;
  pith_out *o;
} table;

void put_csv_cell(pith_out *o, const char *text) {
  if (*text != '\0' && strpbrk(text, ",;\t|\"\r\n#") == NULL && *text != ' ' &&
      text[strlen(text) - 1] != ' ') {
    pith_out_write(o, text, strlen(text));
    return;
  }
  pith_out_write(o, "\"", 1);
  for (; *text != '\0'; text++)
    pith_out_write(o, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
  pith_out_write(o, "\"", 1);
}

static int put_row(void *ctx, pith_pred pred, const pith_sym *args, size_t n) {
  const table *t = ctx;
  (void)pred;
  if (!fact_matches(t->head, args, n))
    return 0;
  for (size_t i = 0; i < n; i++) {
    if (i > 0)
      pith_out_write(t->o, ",", 1);
    put_csv_cell(t->o, pith_sym_text(t->p, args[i]));
  }
  return pith_out_write(t->o, n == 0 ? "true\n" : "\n", n == 0 ? 5 : 1);
}

pith_status conjunction_put_csv(const pith *p, pith_part part,
                                const conjunction *c, const pith_atom *head,
                                pith_out *o) {
  table t = {p, head, o};
  for (size_t i = 0; i < c->count; i++) {
    if (i > 0)
      pith_out_write(o, ",", 1);
    put_csv_cell(o, c->variables[i]);
  }
  pith_out_print(o, c->count == 0 ? "answer\n" : "\n");
  pith_status rc =
      (pith_status)pith_fact_each(p, head->pred, part, put_row, &t);
  return rc < 0 ? rc : pith_out_write(o, "", 0);
}
