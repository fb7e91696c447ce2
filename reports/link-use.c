/* The sentence that warns of links that cannot be used fully. */
#include <inttypes.h>

#include "reports/link-use.h"
#include "reports/page.h"

void report_link_use_text(struct report_page *page, const struct report_link_use *use)
{
    char share[REPORT_NUMBER_TEXT];

    if (!use->limited)
        return;
    report_page_share(use->share, share);
    if (use->buffer_flits < use->enough_flits)
        report_page_paragraph(
            page, 0,
            "Links cannot be used fully: with buffers of %" PRIu32
            " flits, whose places come back late, a stream of packets fills at most %s of a "
            "link's cycles. The default is --buffer-flits %" PRIu32 ".",
            use->buffer_flits, share, use->enough_flits);
    else
        report_page_paragraph(
            page, 0,
            "Links cannot be used fully: the buffer of a virtual channel is one packet's at a "
            "time, and a stream of packets fills at most %s of a link's cycles. More virtual "
            "channels (--vcs) or longer packets fill more.",
            share);
}
