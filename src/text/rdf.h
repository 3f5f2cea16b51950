/* How RDF terms and constants stand for each other.
**
** An IRI is a name, its text. A string is the name of its text, an integer or
** a decimal a number, a date and a truth value the name of its text. Whatever
** would be taken for something else that way, such as a string that looks like
** an IRI, and literals with a language or another type, are kept in the
** notation of N-Triples: "chat"@fr. The other way round, a name that is no IRI
** is a string where it is only said about others, and urn:pith:NAME where
** something is said about it. */
#ifndef PITH_TEXT_RDF_H
#define PITH_TEXT_RDF_H

#include "base/out.h"
#include "term/theory.h"

#define PITH_I_XSD "http://www.w3.org/2001/XMLSchema#"
#define PITH_I_RDF_TYPE "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
#define PITH_I_URN "urn:pith:"
#define PITH_I_URN_NUMBER "urn:pith:number:"

/* Whether text can stand between < and > as an IRI with a scheme. */
bool pith_i_is_iri(const char *text, size_t n);

/* Whether the string would be taken for another kind of term, and must be kept
** in quotes. */
bool pith_i_string_needs_quotes(const char *text, size_t n);

#endif
