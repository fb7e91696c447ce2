/* Whether a document is what a strict reader of XML takes, but for what HTML has besides. */
#ifndef TESTS_REPORTS_WELL_FORMED_H
#define TESTS_REPORTS_WELL_FORMED_H

/* Fails the test unless tags nest and close, attributes are quoted, ampersands begin entities, and there is
 * no control character. A document type and HTML's meta and link, which have no end, are allowed. Enough of
 * XML for what we write. */
void expect_well_formed(const char *document);
unsigned occurrences(const char *text, const char *word);
/* Where a <text> of a picture ends, by an estimate of its width; entities count as one character. Of one that is
 * anchored elsewhere than at its start, where it is anchored. */
double drawn_text_end(const char *element);

#endif
