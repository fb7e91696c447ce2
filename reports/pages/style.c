/* The style sheet of HTML reports.
 *
 * Colours are those of palette.h. Pictures are drawn for light paper and say their colours as attributes, so
 * that each stands alone as a file; a dark page translates them here, colour by colour. Scales of load turn
 * around as well: what is busiest differs most from the paper on either. Paper is always light. */
#include "reports/pages/markup.h"

#define DARK(from, to) "svg [fill=\"#" from "\"]{fill:#" to "}svg [stroke=\"#" from "\"]{stroke:#" to "}\n"

const char report_page_style[] =
    ":root{--paper:#fdfcf9;--ink:#22262b;--pale:#5c6470;--line:#d9d6cc;--shade:#f4f2ec;--accent:#0072b2;--"
    "least:.75}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1rem 1.25rem 3rem;max-width:72rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.5 Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif}\n"
    "h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0 1rem;overflow-wrap:anywhere}\n"
    "h2{font-size:1.125rem;line-height:1.3;margin:2.25rem 0 .5rem;padding-top:.5rem;"
    "border-top:1px solid var(--line);overflow-wrap:anywhere}\n"
    "h3{font-size:1rem;line-height:1.3;margin:1.25rem 0 .25rem;overflow-wrap:anywhere}\n"
    "p{margin:.4rem 0;max-width:46rem;overflow-wrap:anywhere}\n"
    ".answer{font-size:1.125rem}.answer:first-child,h2+.answer,p:not(.answer)+.answer{font-size:1.375rem;"
    "line-height:1.35;font-weight:bold}\n"
    "a{color:var(--accent)}\n"
    ":focus-visible{outline:3px solid var(--accent);outline-offset:2px}main:focus{outline:none}\n"
    ".skip{position:absolute;left:-100rem}.skip:focus{left:1rem;top:.5rem;padding:.5rem 1rem;"
    "background:var(--paper);border:1px solid var(--accent)}\n"
    "nav ol{display:flex;flex-wrap:wrap;gap:.125rem 1.25rem;list-style:none;margin:0 0 1rem;padding:0;"
    "font-size:.875rem}nav a{display:inline-block;padding:.25rem 0}\n"
    /* What is wider than the screen has a shadow where it goes on: one that moves with it hides one that
       stays. */
    ".table,.picture{overflow-x:auto;margin:.5rem 0;background:"
    "linear-gradient(to right,var(--paper) 40%,transparent) 0 0/2rem 100% no-repeat local,"
    "linear-gradient(to left,var(--paper) 40%,transparent) 100% 0/2rem 100% no-repeat local,"
    "linear-gradient(to right,var(--line),transparent) 0 0/.75rem 100% no-repeat,"
    "linear-gradient(to left,var(--line),transparent) 100% 0/.75rem 100% no-repeat}"
    ".picture>svg>rect:first-of-type{fill:none}\n"
    "table{border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2rem .9rem .2rem 0;text-align:left;vertical-align:top;font-weight:normal;"
    "border-bottom:1px solid var(--line)}\n"
    "td:last-child,th:last-child{padding-right:0}td:last-child:not(.r){overflow-wrap:anywhere;min-width:6rem}"
    "\n"
    "thead th,thead td{font-weight:bold;vertical-align:bottom}\n"
    /* Names of options are broken nowhere. */
    "tbody th:first-child:nth-last-child(2){white-space:nowrap}\n"
    /* What the script adds (script.c). */
    "button{font:inherit;color:inherit;background:none;border:0;padding:0;text-align:inherit;cursor:pointer}"
    "[aria-sort=ascending] button::after{content:\" \\25b2\"}[aria-sort=descending] button::after{content:\" "
    "\\25bc\"}"
    ".zoom{display:flex;gap:.5rem;justify-content:flex-end;margin:0}"
    ".zoom button{width:2rem;height:2rem;text-align:center;border:1px solid var(--line)}\n"
    ".r{text-align:right}.r,.n{white-space:nowrap}\n"
    ".bar{vertical-align:middle}.bar i{display:block;height:.75em;min-width:1px;background:var(--accent)}\n"
    "section{display:flex;flex-wrap:wrap;align-items:flex-start;column-gap:2.5rem}"
    "section>*{flex:0 1 auto;min-width:0}section>h2,section>h3,section>p,section>details{flex:0 0 100%}\n"
    "figure{margin:.75rem 0 1rem}figcaption{font-size:.875rem;color:var(--pale);max-width:46rem;"
    "overflow-wrap:anywhere}figcaption::first-letter{text-transform:uppercase}\n"
    /* Pictures shrink to the screen as long as their words can be read, then scroll as tables do. */
    "svg{display:block;height:auto;max-width:max(100%,var(--least)*var(--width,0px))}\n"
    "footer{margin-top:2.25rem;font-size:.875rem;color:var(--pale)}\n"
    "details{margin:.5rem 0}summary{cursor:pointer;padding:.25rem 0;color:var(--accent)}\n"
    "@media(max-width:40rem){:root{--least:.6}body{padding:.75rem .5rem 2rem}h1{font-size:1.25rem}"
    ".answer:first-child,h2+.answer,p:not(.answer)+.answer{font-size:1.1875rem}.answer{font-size:1rem}thead "
    "th.r{white-space:normal;min-width:4.5em}"
    "table{font-size:.8125rem}th,td{padding-right:.6rem}"
    "td:last-child:not(.r){overflow-wrap:normal}"
    "tbody th:first-child+td:last-child:not(.r){overflow-wrap:anywhere}"
    /* Lengths of bars are in em of their cell: all of them become shorter, so that what is said behind
     * them has room. */
    ".bar{font-size:.3em}.bar i{height:2.3em}}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ":root{--paper:#16181c;--ink:#e8e6e1;--pale:#a2a9b4;--line:#3a3f47;--shade:#1e2126;--accent:#56b4e9}\n"
    /* Paper, ink, grids and routers. */
    DARK("fdfcf9", "16181c") DARK("22262b", "e8e6e1") DARK("6b7280", "a2a9b4") DARK("5c6470", "a2a9b4")
        DARK("e2e4e8", "343941") DARK("eef2f7", "262c34") DARK("44546a", "8fa0b8") DARK("d7d3c8", "4a4a46")
            DARK("f4f2ec", "1e2126")
    /* Words in boxes; what is on bright ones stays. */
    DARK("21252a", "ffffff") DARK("ffffff", "16181c")
    /* Loads, from idle to the busiest. */
    DARK("dfe3e8", "2e333b") DARK("b5de2b", "404688") DARK("6ece58", "33638d") DARK("35b779", "287d8e")
        DARK("1f9e89", "1fa187") DARK("26828e", "4ac16d") DARK("3e4989", "a0da39") DARK("440154", "fde725")
    /* The darker ones of the colours that tell things apart. */
    DARK("00548a", "3d8ccf") DARK("b84c00", "d55e00") DARK("d9dce0", "a8adb5") DARK(
        "9b4f96",
        "c987c4") "}\n"
                  /* On paper, of reports with many pictures ("plates"), text and tables come first and run on
                   * without gaps; behind them stand the pictures, as many as fit on a page, square ones two in a
                   * row, then those that fill one. A short table is not broken; a long one of two narrow columns
                   * runs on in columns of the page. */
                  "@media print{:root{--paper:#fff}html{font-size:10pt}body{max-width:none;padding:0}"
                  "nav,.skip,.zoom{display:none}"
                  ".plates{display:flex;flex-flow:row wrap;column-gap:1cm}section{display:block}.plates "
                  "section{display:contents}.plates section>*{flex:0 0 100%;min-width:0}"
                  ".plates section:not(:first-child) figure:has(svg.square){flex:1 0 calc(50% - .6cm)}"
                  ".plates section:not(:first-child) figure{order:1}"
                  ".plates section:not(:first-child) figure:has(svg.tall){order:2}"
                  "h2{break-after:avoid;margin-top:1.25rem}th,td{padding-top:.1rem;padding-bottom:.1rem}"
                  "footer{margin-top:1rem}figure,tr,.table{break-inside:avoid}"
                  ".table:has(tr:nth-child(9)){break-inside:auto}"
                  ".table:has(tr:nth-child(16)>.r:first-child+.r:last-child){columns:6;column-gap:2em}"
                  ".table,.picture{overflow:visible;background:none}"
                  "svg{max-width:100%;max-height:11.6cm}svg.tall{max-height:23cm}svg "
                  "[fill=\"#fdfcf9\"]{fill:#fff}"
                  "details::details-content{content-visibility:visible;display:block}"
                  ".bar i,svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
                  "a{color:inherit;text-decoration:none}}\n";
