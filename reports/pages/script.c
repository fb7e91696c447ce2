/* The script of HTML reports: tables sort by a click on a title, and pictures can be enlarged. Nothing needs it: a
 * reader without scripts has the same page. The policy of a page allows this script alone, by its hash, so that
 * whatever a trace managed to put into the page does not run. The hash is that of the text below; tests/cli/test-pages
 * computes it again.
 *
 * Numbers are compared with their units, as tables write them ("1.234 ms", "12 345", "3.4 %"); what is no number comes
 * after them, by the alphabet. */
#include "reports/pages/markup.h"

const char report_page_script_hash[] = "sha256-ZkU6HtHvHxhj1ItpRusU6nXxtVwOAagRL80eYdl3/eQ=";
/* clang-format off */
const char report_page_script[] =
    "\"use strict\";\n"
    "(() => {\n"
    "const unit = {\"%\":.01,ns:1,us:1e3,ms:1e6,s:1e9,B:1,KiB:1024,MiB:1048576,GiB:1073741824};\n"
    "const number = text => {\n"
    "const found = /^([+-]?\\d[\\d ]*(?:\\.\\d+)?(?:e[+-]?\\d+)?) ?(%|[num]?s|[KMG]i?B|B)?\\b/.exec(text.trim());\n"
    "return found ? parseFloat(found[1].replace(/ /g, \"\")) * (unit[found[2]] || 1) : NaN;\n"
    "};\n"
    "const order = (a, b) => {\n"
    "const x = number(a), y = number(b);\n"
    "return isNaN(x) || isNaN(y) ? isNaN(y) - isNaN(x) || a.localeCompare(b) : x - y;\n"
    "};\n"
    "const button = (text, label, act) => {\n"
    "const made = document.createElement(\"button\");\n"
    "made.type = \"button\";\n"
    "made.append(text);\n"
    "if (label) made.setAttribute(\"aria-label\", label);\n"
    "made.addEventListener(\"click\", act);\n"
    "return made;\n"
    "};\n"
    "for (const table of document.querySelectorAll(\"table\")) {\n"
    "const body = table.tBodies[0];\n"
    "if (!table.tHead || 3 > body.rows.length) continue;\n"
    "const heads = [...table.tHead.rows[0].cells];\n"
    "heads.forEach((head, column) => {\n"
    "if (head.tagName != \"TH\") return;\n"
    "const content = [...head.childNodes];\n"
    "head.append(button(\"\", \"\", () => {\n"
    "const sign = head.getAttribute(\"aria-sort\") == \"ascending\" ? -1 : 1;\n"
    "for (const other of heads) other.removeAttribute(\"aria-sort\");\n"
    "head.setAttribute(\"aria-sort\", sign > 0 ? \"ascending\" : \"descending\");\n"
    "const text = row => row.cells[column].textContent;\n"
    "body.append(...[...body.rows].sort((a, b) => sign * order(text(a), text(b))));\n"
    "}));\n"
    "head.lastChild.append(...content);\n"
    "});\n"
    "}\n"
    "for (const picture of document.querySelectorAll(\".picture\")) {\n"
    "const svg = picture.querySelector(\"svg\"), bar = document.createElement(\"p\");\n"
    "let scale = 1, width = 0;\n"
    "const zoom = by => () => {\n"
    "if (scale == 1) width = svg.getBoundingClientRect().width;\n"
    "scale = Math.min(16, Math.max(1, scale * by));\n"
    "svg.style.maxWidth = \"none\";\n"
    "svg.style.width = scale > 1 ? scale * width + \"px\" : \"\";\n"
    "if (scale == 1) svg.style.maxWidth = \"\";\n"
    "};\n"
    "bar.className = \"zoom\";\n"
    "bar.append(button(\"+\", \"Enlarge the picture\", zoom(1.5)));\n"
    "bar.append(button(\"\\u2212\", \"Make the picture smaller\", zoom(1 / 1.5)));\n"
    "picture.before(bar);\n"
    "}\n"
    "})();\n";
/* clang-format on */
