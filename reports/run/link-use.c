/* The sentence that warns of links that cannot be used fully. */
#include <inttypes.h>

#include "reports/run/link-use.h"
#include "reports/pages/page.h"

/* What the buffers cost those that go on along a ring, and those that enter it. */
static void put_buffers(struct report_page *page, const struct report_link_use *use)
{
    char share[REPORT_NUMBER_TEXT], entering[REPORT_NUMBER_TEXT];

    report_page_share(use->share, share);
    report_page_share(use->entering, entering);
    if (use->entering < use->share)
        report_page_paragraph(
            page, 0,
            "Links cannot be used fully: buffers of %" PRIu32
            " flits do not cover the credit round trip, so packets fill at most %s of a link's cycles, and "
            "at most %s where all of them enter a ring (bubble rule). The default is --buffer-flits "
            "%" PRIu32 ".",
            use->buffer_flits, share, entering, use->enough_flits);
    else
        report_page_paragraph(
            page, 0,
            "Links cannot be used fully: buffers of %" PRIu32
            " flits do not cover the credit round trip, so packets fill at most %s of a link's cycles. The "
            "default is --buffer-flits %" PRIu32 ".",
            use->buffer_flits, share, use->enough_flits);
}

/* Silent where links can be full all the time. Small buffers and, under wormhole, too few virtual channels
 * are told apart, since they have different remedies. */
void report_link_use_text(struct report_page *page, const struct report_link_use *use)
{
    char share[REPORT_NUMBER_TEXT];

    if (!use->limited)
        return;
    if (use->buffer_flits < use->enough_flits)
        put_buffers(page, use);
    if (!use->wormhole || use->share >= 1)
        return;
    report_page_paragraph(
        page, 0,
        "Links cannot be used fully: under wormhole the buffer of a virtual channel holds one packet at a "
        "time, so packets fill at most %s of a link's cycles. More virtual channels (--vcs) or "
        "longer packets fill more.",
        report_page_share(use->share, share));
}
