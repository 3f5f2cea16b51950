/* Completions for three shells, from the table of options. Each shell has its
** own idea of quoting; the texts in the table hold no backslash, and where a
** shell needs it a quote is written its way. */
#include <stdio.h>
#include <string.h>

#include "help.h"

static void put_quoted(const char *text, const char *specials,
                       const char *escape) {
  for (const char *s = text; *s != '\0'; s++) {
    if (*s == '\'')
      printf("'\\''");
    else if (strchr(specials, *s) != NULL)
      printf("%s%c", escape, *s);
    else
      putchar(*s);
  }
}

/* Calls put for the program (NULL) and for each command. */
static void for_each_command(void (*put)(const command *c)) {
  put(NULL);
  for (size_t i = 0; i < command_count; i++)
    put(commands[i]);
}

static const char *name_of(const command *c) {
  return c == NULL ? "pith" : c->name;
}

/* ---- bash ------------------------------------------------------------- */

static void bash_options(const command *c) {
  printf("    %s) words='", c == NULL ? "pith" : c->name);
  const char *parting = "";
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (!option_taken(&options[i], name_of(c)))
      continue;
    printf("%s--%s", parting, options[i].name);
    if (options[i].alias != NULL)
      printf(" --%s", options[i].alias);
    if (options[i].letter != 0)
      printf(" -%c", options[i].letter);
    parting = " ";
  }
  printf("' ;;\n");
}

static void bash_values(const command *c) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const option *o = &options[i];
    if (o->kind == FLAG || !option_taken(o, name_of(c)))
      continue;
    printf("    %s:--%s", name_of(c), o->name);
    if (o->alias != NULL)
      printf(" | %s:--%s", name_of(c), o->alias);
    if (o->letter != 0)
      printf(" | %s:-%c", name_of(c), o->letter);
    if (o->kind == PATH)
      printf(") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n");
    else
      printf(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n",
             o->kind == CHOICE ? option_choices(o, c) : "");
  }
}

/* A command whose operand is one of a few words. */
static void bash_operands(const command *c) {
  if (c != NULL && c->words != NULL)
    printf("    %s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", c->name,
           c->words);
}

static void put_command_names(const char *between) {
  for (size_t i = 0; i < command_count; i++)
    printf("%s%s", i == 0 ? "" : between, commands[i]->name);
}

/* What pith help takes. */
static void put_help_words(void) {
  put_command_names(" ");
  for (size_t i = 0; i < help_topic_count; i++)
    printf(" %s", help_topics[i].name);
}

static int print_bash(void) {
  printf(
      "# bash completion for pith\n_pith() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command=pith words='' i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case ${COMP_WORDS[i]} in\n      help | ");
  put_command_names(" | ");
  printf(") command=${COMP_WORDS[i]}; break ;;\n    esac\n  done\n"
         "  case $command:$prev in\n");
  for_each_command(bash_values);
  printf("  esac\n  case $command in\n");
  for_each_command(bash_options);
  printf("  esac\n  if [[ $cur == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n    return\n"
         "  fi\n  case $command in\n"
         "    pith) COMPREPLY=($(compgen -W '");
  put_command_names(" ");
  printf(" help' -- \"$cur\")) ;;\n    help) COMPREPLY=($(compgen -W '");
  put_help_words();
  printf("' -- \"$cur\")) ;;\n");
  for_each_command(bash_operands);
  printf("    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n  esac\n}\n"
         "complete -o filenames -F _pith pith\n");
  return flush_output();
}

/* ---- zsh -------------------------------------------------------------- */

static void zsh_spec(const option *o, const command *c, const char *dashes,
                     const char *name) {
  char help[HELP_ROOM];
  printf("    '%s%s[", dashes, name);
  put_quoted(option_help(help, o, c), "[]:", "\\");
  printf("]");
  if (o->kind == PATH)
    printf(":%s:_files", o->value);
  else if (o->kind == CHOICE)
    printf(":%s:(%s)", o->value, option_choices(o, c));
  else if (o->kind != FLAG)
    printf(":%s: ", o->value);
  printf("'\n");
}

static void zsh_arguments(const command *c) {
  printf("  %s) specs=(\n", name_of(c));
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const option *o = &options[i];
    char letter[] = {o->letter, '\0'};
    if (!option_taken(o, name_of(c)))
      continue;
    zsh_spec(o, c, "--", o->name);
    if (o->alias != NULL)
      zsh_spec(o, c, "--", o->alias);
    if (o->letter != 0)
      zsh_spec(o, c, "-", letter);
  }
  if (c == NULL)
    printf("    '1:command:->command'\n  ) ;;\n");
  else if (c->words != NULL)
    printf("    '1:table:(%s)'\n  ) ;;\n", c->words);
  else
    printf("    '*:input:_files'\n  ) ;;\n");
}

static int print_zsh(void) {
  printf("#compdef pith\n_pith() {\n"
         "  local -a specs commands\n  local state word command=pith\n"
         "  for word in ${words[2,CURRENT-1]}; do\n    case $word in\n      "
         "help|");
  put_command_names("|");
  printf(") command=$word; break ;;\n    esac\n  done\n"
         "  [[ $command == pith ]] || { shift words; (( CURRENT-- )) }\n"
         "  case $command in\n");
  for_each_command(zsh_arguments);
  printf("  help) specs=('1:topic:(");
  put_help_words();
  printf(")') ;;\n");
  printf("  esac\n  _arguments $specs && return\n"
         "  [[ $state == command ]] || return\n  commands=(\n");
  for (size_t i = 0; i < command_count; i++) {
    printf("    '%s:", commands[i]->name);
    put_quoted(commands[i]->summary, ":", "\\");
    printf("'\n");
  }
  printf("    'help:Help on a command or a topic'\n");
  printf("  )\n  _describe command commands\n}\n_pith \"$@\"\n");
  return flush_output();
}

/* ---- fish ------------------------------------------------------------- */

static void fish_name(const option *o, const command *c, const char *name,
                      char letter) {
  char help[HELP_ROOM];
  printf("complete -c pith -n '%s%s' -l %s",
         c == NULL ? "__fish_use_subcommand" : "__fish_seen_subcommand_from ",
         c == NULL ? "" : c->name, name);
  if (letter != 0)
    printf(" -s %c", letter);
  if (o->kind == PATH)
    printf(" -r -F");
  else if (o->kind == CHOICE)
    printf(" -x -a '%s'", option_choices(o, c));
  else if (o->kind != FLAG)
    printf(" -x");
  printf(" -d '");
  put_quoted(option_help(help, o, c), "\\", "\\");
  printf("'\n");
}

static void fish_options(const command *c) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const option *o = &options[i];
    if (!option_taken(o, name_of(c)))
      continue;
    fish_name(o, c, o->name, o->letter);
    if (o->alias != NULL)
      fish_name(o, c, o->alias, 0);
  }
}

static void fish_operands(const command *c) {
  if (c != NULL && c->words != NULL)
    printf("complete -c pith -n '__fish_seen_subcommand_from %s' -f -a '%s'\n",
           c->name, c->words);
}

static int print_fish(void) {
  printf("# fish completion for pith\n"
         "complete -c pith -n __fish_use_subcommand -f\n");
  for (size_t i = 0; i < command_count; i++) {
    printf("complete -c pith -n __fish_use_subcommand -a %s -d '",
           commands[i]->name);
    put_quoted(commands[i]->summary, "\\", "\\");
    printf("'\n");
  }
  printf("complete -c pith -n __fish_use_subcommand -a help -d "
         "'Help on a command or a topic'\n"
         "complete -c pith -n '__fish_seen_subcommand_from help' -f -a '");
  put_help_words();
  printf("'\n");
  for_each_command(fish_operands);
  for_each_command(fish_options);
  return flush_output();
}

int print_completions(const char *shell) {
  return strcmp(shell, "bash") == 0  ? print_bash()
         : strcmp(shell, "zsh") == 0 ? print_zsh()
                                     : print_fish();
}
