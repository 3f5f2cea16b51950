/* ---- facts as an Arrow stream ------------------------------------------- */

/* Every struct that goes out owns a list of blocks, so that whoever moves it
** out of its parent can free it by itself. */
typedef struct owned_block {
  struct owned_block *next;
} owned_block;

static void *own_block(owned_block **list, size_t size) {
  owned_block *block = calloc(1, sizeof *block + sizeof(void *) + size);
  if (block == NULL)
    return NULL;
  block->next = *list;
  *list = block;
  return (char *)block + 2 * sizeof(void *);
}

static void free_blocks(owned_block *list) {
  while (list != NULL) {
    owned_block *next = list->next;
    free(list);
    list = next;
  }
}

static void release_array(struct ArrowArray *a) {
  for (int64_t i = 0; i < a->n_children; i++)
    if (a->children[i]->release != NULL)
      a->children[i]->release(a->children[i]);
  if (a->dictionary != NULL && a->dictionary->release != NULL)
    a->dictionary->release(a->dictionary);
  a->release = NULL;
  free_blocks(a->private_data);
}

static void release_schema(struct ArrowSchema *s) {
  for (int64_t i = 0; i < s->n_children; i++)
    if (s->children[i]->release != NULL)
      s->children[i]->release(s->children[i]);
  if (s->dictionary != NULL && s->dictionary->release != NULL)
    s->dictionary->release(s->dictionary);
  s->release = NULL;
  free_blocks(s->private_data);
}

/* A block of an array's, or a schema's. NULL: no memory. */
static void *array_block(struct ArrowArray *a, size_t size) {
  owned_block *list = a->private_data;
  void *block = own_block(&list, size);
  a->private_data = list;
  return block;
}

static void *schema_block(struct ArrowSchema *s, size_t size) {
  owned_block *list = s->private_data;
  void *block = own_block(&list, size);
  s->private_data = list;
  return block;
}

static bool start_array(struct ArrowArray *a, size_t length, int64_t buffers) {
  *a = (struct ArrowArray){.length = (int64_t)length,
                           .n_buffers = buffers,
                           .release = release_array};
  a->buffers = array_block(a, 3 * sizeof *a->buffers);
  return a->buffers != NULL;
}

/* ---- one column ---- */

typedef struct {
  const pith *p;
  const pith_sym *rows; /* (count, width) */
  size_t count, width, column;
  pith_py_control *control;
} column_source;

/* A column of millions takes long. */
static bool is_over_at(const column_source *s, size_t row) {
  return is_last_turn(s->control, row);
}

static pith_sym sym_at(const column_source *s, size_t row) {
  return s->rows[row * s->width + s->column];
}

static bool fits_int64(const char *text) {
  return strlen(text) - (*text == '-') < 19 && strpbrk(text, ".e") == NULL;
}

/* "l", "g", or "i" for the codes of a dictionary. */
static const char *column_format(const column_source *s) {
  bool whole = true, number = true;
  for (size_t i = 0; number && i < s->count && !is_over_at(s, i); i++) {
    pith_sym sym = sym_at(s, i);
    number = pith_sym_kind_of(s->p, sym) == PITH_NUMBER;
    whole = whole && number && fits_int64(pith_sym_text(s->p, sym));
  }
  return s->count == 0 || !number ? "i" : whole ? "l" : "g";
}

/* Numbers the words of a column by their first use; words: those, in order.
** Returns how many there are. */
static size_t number_words(const column_source *s, int32_t *code_of,
                           pith_sym *words, int32_t *codes) {
  size_t used = 0;
  for (size_t i = 0; i < s->count && !is_over_at(s, i); i++) {
    pith_sym sym = sym_at(s, i);
    if (code_of[sym] < 0) {
      code_of[sym] = (int32_t)used;
      words[used++] = sym;
    }
    codes[i] = code_of[sym];
  }
  return used;
}

static bool fill_words(const column_source *s, const pith_sym *words,
                       size_t count, struct ArrowArray *out) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++)
    bytes += strlen(pith_sym_text(s->p, words[i]));
  int64_t *offsets = array_block(out, (count + 1) * sizeof *offsets);
  char *text = array_block(out, bytes + 1);
  if (offsets == NULL || text == NULL)
    return false;
  for (size_t i = 0; i < count && !is_over_at(s, i); i++) {
    size_t n = strlen(pith_sym_text(s->p, words[i]));
    memcpy(text + offsets[i], pith_sym_text(s->p, words[i]), n);
    offsets[i + 1] = offsets[i] + (int64_t)n;
  }
  out->length = (int64_t)count;
  out->buffers[1] = offsets;
  out->buffers[2] = text;
  return true;
}

static bool fill_dictionary(const column_source *s, struct ArrowArray *out,
                            int32_t *codes) {
  size_t syms = pith_sym_count(s->p);
  int32_t *code_of = malloc((syms + 1) * sizeof *code_of);
  pith_sym *words = malloc((s->count + 1) * sizeof *words);
  bool fine = start_array(out, 0, 3) && code_of != NULL && words != NULL;
  if (fine) {
    memset(code_of, 0xff, (syms + 1) * sizeof *code_of);
    fine = fill_words(s, words, number_words(s, code_of, words, codes), out);
  }
  free(code_of);
  free(words);
  return fine;
}

static void fill_numbers(const column_source *s, bool whole, void *values) {
  for (size_t i = 0; i < s->count && !is_over_at(s, i); i++) {
    double value;
    pith_sym_order(s->p, sym_at(s, i), &value);
    if (whole)
      ((int64_t *)values)[i] =
          strtoll(pith_sym_text(s->p, sym_at(s, i)), NULL, 10);
    else
      ((double *)values)[i] = value;
  }
}

static bool fill_column(const column_source *s, const char *format,
                        struct ArrowArray *out) {
  if (!start_array(out, s->count, 2))
    return false;
  void *values = array_block(out, (s->count + 1) * sizeof(int64_t));
  out->buffers[1] = values;
  if (values == NULL || *format != 'i') {
    if (values != NULL)
      fill_numbers(s, *format == 'l', values);
    return values != NULL;
  }
  out->dictionary = array_block(out, sizeof *out->dictionary);
  return out->dictionary != NULL && fill_dictionary(s, out->dictionary, values);
}

static bool name_column(struct ArrowSchema *out, const char *format,
                        size_t number) {
  enum { ROOM = 24 };
  *out = (struct ArrowSchema){.format = format, .release = release_schema};
  char *name = schema_block(out, ROOM);
  out->name = name;
  if (name == NULL)
    return false;
  snprintf(name, ROOM, "%zu", number);
  if (*format != 'i')
    return true;
  out->dictionary = schema_block(out, sizeof *out->dictionary);
  if (out->dictionary != NULL)
    *out->dictionary = (struct ArrowSchema){
        .format = "U", .name = "", .release = release_schema};
  return out->dictionary != NULL;
}

/* ---- the stream ---- */

typedef struct {
  struct ArrowSchema schema;
  struct ArrowArray array;
} stream_contents;

static bool add_child(const column_source *s, stream_contents *out) {
  struct ArrowArray *array = array_block(&out->array, sizeof *array);
  struct ArrowSchema *schema = schema_block(&out->schema, sizeof *schema);
  if (array == NULL || schema == NULL)
    return false;
  out->array.children[s->column] = array;
  out->schema.children[s->column] = schema;
  out->array.n_children = out->schema.n_children = (int64_t)s->column + 1;
  const char *format = column_format(s);
  return fill_column(s, format, array) &&
         name_column(schema, format, s->column);
}

static bool fill_batch(const column_source *all, stream_contents *out) {
  size_t count = all->count, width = all->width;
  out->schema = (struct ArrowSchema){
      .format = "+s", .name = "", .release = release_schema};
  bool fine = start_array(&out->array, count, 1);
  out->array.children = array_block(&out->array, width * sizeof(void *));
  out->schema.children = schema_block(&out->schema, width * sizeof(void *));
  fine = fine && out->array.children != NULL && out->schema.children != NULL;
  for (size_t i = 0; fine && i < width; i++) {
    column_source s = *all;
    s.column = i;
    fine = add_child(&s, out) && !is_last_turn(all->control, 0);
  }
  return fine;
}

static int take_schema(struct ArrowArrayStream *s, struct ArrowSchema *out) {
  stream_contents *c = s->private_data;
  if (c->schema.release == NULL)
    return 22; /* EINVAL: it was taken before */
  *out = c->schema;
  c->schema.release = NULL;
  return 0;
}

static int take_batch(struct ArrowArrayStream *s, struct ArrowArray *out) {
  stream_contents *c = s->private_data;
  *out = c->array; /* released already: the end */
  c->array.release = NULL;
  return 0;
}

static const char *stream_error(struct ArrowArrayStream *s) {
  (void)s;
  return "the schema was asked for twice";
}

static void free_contents(stream_contents *c) {
  if (c->schema.release != NULL)
    c->schema.release(&c->schema);
  if (c->array.release != NULL)
    c->array.release(&c->array);
  free(c);
}

static void release_stream(struct ArrowArrayStream *s) {
  free_contents(s->private_data);
  s->release = NULL;
}

pith_status pith_py_stream(const pith *p, pith_pred pred, pith_part part,
                           struct ArrowArrayStream **out,
                           pith_py_control *control) {
  size_t width = pith_pred_arity(p, pred);
  size_t count = (size_t)pith_fact_count(p, pred, part);
  struct ArrowArrayStream *s = calloc(1, sizeof *s);
  stream_contents *c = calloc(1, sizeof *c);
  pith_sym *rows = malloc((count * width + 1) * sizeof *rows);
  bool fine = s != NULL && c != NULL && rows != NULL;
  if (fine) {
    column_source from = {p, rows, count, width, 0, control};
    fine =
        pith_py_rows(p, pred, part, rows, control) >= 0 && fill_batch(&from, c);
  }
  free(rows);
  if (!fine) {
    if (c != NULL)
      free_contents(c);
    free(s);
    return is_last_turn(control, 0) ? PITH_ELIMIT : PITH_ENOMEM;
  }
  *s = (struct ArrowArrayStream){take_schema, take_batch, stream_error,
                                 release_stream, c};
  *out = s;
  return PITH_OK;
}

void pith_py_free_stream(void *capsule) {
  struct ArrowArrayStream *s =
      PyCapsule_GetPointer(capsule, "arrow_array_stream");
  if (s != NULL && s->release != NULL)
    s->release(s);
  free(s);
}
