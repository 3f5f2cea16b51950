/* Texts of pith help TOPIC. Each is short; the documents say more. */
#include <stddef.h>
#include <string.h>

#include "help.h"

const char input_kinds[] =
    "a file, a folder, or - for standard input: Prolog facts and rules with "
    "pos(..) and neg(..) examples, a Popper folder (bk.pl, exs.pl, bias.pl), "
    "tables (CSV, TSV, JSON, SQLite), graphs (triples, edge lists, RDF), or "
    "the files of Aleph, Metagol, ProbLog, clingo, AMIE and AnyBURL; plain or "
    "packed (.gz, .xz, .zst)";

const help_topic help_topics[] = {
    {"rules", "What the figures behind a rule mean",
     "A rule is printed with counts:\n\n"
     "    p(X) :- q(X,Y).  % support 4 of 30, confidence 0.133 (0.05 to 0.30), "
     "pca 0.200\n\n"
     "The rule derives 30 atoms that can be checked (its predictions), and 4 "
     "of "
     "them are true (its support). Where there are negative examples, these "
     "are the atoms with a label: true means positive. Otherwise every derived "
     "atom counts, and true means observed.\n\n"
     "confidence is support divided by predictions. The interval in brackets "
     "holds the rule's true confidence with probability 0.95, given so few "
     "counts: 4 of 4 is weaker evidence than 400 of 400.\n\n"
     "pca is the confidence under the partial completeness assumption: it "
     "leaves out predictions about subjects of which nothing was observed, "
     "because there nothing can be said to be false.\n\n"
     "similarity (with templates) is how closely the trained slots of the rule "
     "match the predicates that are printed: 1 is exact. weight is the rule's "
     "share in a graded answer. 'predicts N atoms of an invented predicate' "
     "replaces the counts where no observation can bear the rule out. 'no "
     "example follows from it directly' marks the first step of a recursion: "
     "other rules need what it derives.\n\n"
     "A number before a rule, as in 0.8::p(X,Y) :- q(X,Y), is its "
     "probability.",
     NULL},
    {"worlds", "How learn takes several inputs",
     "All files on the command line of learn are one world: pith learn bk.pl "
     "exs.pl reads the background from one and the examples from the other. A "
     "folder is always a world of its own, with its bk.pl, exs.pl and perhaps "
     "bias.pl and templates.txt. With --worlds every file is one too.\n\n"
     "Worlds have different constants and facts and share their rules: what is "
     "learned must fit the examples of all of them. Templates and bias come "
     "from the first.",
     NULL},
    {"formats", "What pith reads and writes",
     "Inputs are files, folders, or - for standard input, and may be packed "
     "(.gz, .xz, .zst). The name and the content decide what a file is, or "
     "--from does; convert --to writes. A folder is a task (bk.pl, exs.pl, "
     "bias.pl, templates.txt) or a graph (train.tsv, valid.tsv, test.tsv). "
     "--format json gives one JSON object per line on every command. "
     "docs/formats.md describes every format; these are their names, with the "
     "endings of files:",
     put_formats},
    {"tunables", "Constants that learners were tuned with", NULL, put_tunables},
    {"exit-codes", "What the exit codes mean", NULL, put_exit_codes},
};
const size_t help_topic_count = sizeof help_topics / sizeof help_topics[0];

const help_topic *help_topic_find(const char *name) {
  for (size_t i = 0; i < help_topic_count; i++)
    if (strcmp(help_topics[i].name, name) == 0)
      return &help_topics[i];
  return NULL;
}
