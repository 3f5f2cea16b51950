/* pith bench: the paper's tables, ours beside theirs. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "deadline.h"
#include "interrupt.h"

static const struct {
  const char *name;
  int (*run)(session *s), (*in_paper)(session *s); /* --semantics paper, text */
} benches[] = {{"ilp", bench_ilp, bench_paper},
               {"theory", bench_theory, bench_paper_theory},
               {"countries", bench_countries, bench_countries},
               {"ablation", bench_ablation, bench_ablation}};
enum { BENCHES = sizeof benches / sizeof benches[0] };

double bench_processor_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *times, size_t n) {
  qsort(times, n, sizeof *times, by_size);
  return (times[n / 2] + times[(n - 1) / 2]) / 2;
}

int bench_open(session *s, bench_lines legend, bench_lines head) {
  int code = session_open(s);
  if (code != 0)
    return code;
  session_preface(s, NULL);
  if (legend != NULL && session_comments(s))
    legend(s);
  if (!session_json(s))
    head(s);
  deadline_while("measuring");
  return 0;
}

int bench_finish(session *s, double began, size_t tasks, bool failed) {
  s->did = "done";
  s->info.seconds = seconds_now() - began;
  if (session_json(s)) {
    event_begin(s->out, "result");
    event_flag(s->out, "solved", !failed);
    event_count(s->out, "tasks", tasks);
    event_end_result(s);
  }
  return session_finish(s, failed ? EXIT_MISFIT : EXIT_FITS);
}

extern const command command_bench;

static int run(session *s) {
  bool best = strcmp(s->set.semantics, "best") == 0;
  for (size_t i = 0; s->operand_count == 1 && i < BENCHES; i++)
    if (strcmp(s->operands[0], benches[i].name) == 0) {
      if (best && benches[i].in_paper != benches[i].run)
        s->set.semantics = NULL;
      return best ? benches[i].run(s) : benches[i].in_paper(s);
    }
  say_error("bench: expected the name of one table: %s", command_bench.words);
  return EXIT_USE;
}

const command command_bench = {
    .name = "bench",
    .operands = "TABLE",
    .least = 1,
    .formats = "text json",
    .words = "ilp theory countries ablation",
    .summary = "The paper's tables, ours beside theirs",
    .about =
        "Learns the tasks of Campero et al. (2018) many times and prints how "
        "often that succeeds, beside the figures of the paper.",
    .details =
        "ilp: learns every task in a folder of tasks many times and prints how "
        "often it succeeds, beside the percentages that Campero et al. give "
        "for dILP and for their own system, and whether what was learned is "
        "right on the task's test folder too. Exits with 1 when a whole run "
        "failed.\n\n"
        "For one initialisation without search, what counts is the state at "
        "the end of training: soft is the paper's measure, a mean squared "
        "error below 1e-4; exact is that the decoded rules fit every example; "
        "test that they also fit the test folder. A whole run is pith learn "
        "with its defaults; its time includes reading the task.\n\n"
        "ilp --semantics paper: the same table by the code of Campero et al., "
        "number for number, and on their own data where ours differ; text: as "
        "their text says.\n\n"
        "theory: compresses the observations of every facts*.pl that has a "
        "templates.txt beside it, by single initialisations and by whole runs, "
        "and prints how often the fewest core facts were found, beside what "
        "Campero et al. give.\n\n"
        "theory --semantics paper: single initialisations as the code of "
        "Campero et al. trains them, counted in their way and in ours.\n\n"
        "countries: learns in which region a country lies, from the facts of "
        "data/countries and by two splits, and prints the average precision "
        "beside that of NTP, NTP-lambda and Campero et al., whether the rule "
        "was found that the task was made for (with --semantics paper, by the "
        "paper's templates and training), and how well the probabilities "
        "are calibrated. Exits with 1 when a seed did not find the rule.\n\n"
        "ablation: learns the tasks of ilp as the code of Campero et al. does, "
        "then with one change after the other until it is the default, to show "
        "what each is worth; 50 seeds.",
    .examples = "pith bench ilp\n"
                "pith bench ilp --semantics paper --seeds 200\n"
                "pith bench ilp --seeds 200 --jobs 4 --format json\n"
                "pith bench ilp --tasks fizz,buzz\n"
                "pith bench theory\n"
                "pith bench theory --semantics paper\n"
                "pith bench countries\n"
                "pith bench ablation",
    .run = run,
};
