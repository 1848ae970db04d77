// The page is report.html with its places filled: styles, data and scripts are embedded.
#include "report.h"

#include "assets.h"
#include "json.h"

#include <string.h>

static void put_asset(FILE *out, const unsigned char *text, size_t size)
{
    fwrite(text, 1u, size, out);
}

const char *report_title(const report_source *source)
{
    const char *slash = strrchr(source->file, '/');
    return source->s->title[0] ? source->s->title : slash ? slash + 1 : source->file;
}

// a place in the template is written @@NAME@@
static void fill(FILE *out, const report_source *source, const char *name, size_t length)
{
    if (strncmp(name, "TITLE", length) == 0) {
        html_text(out, report_title(source));
    } else if (strncmp(name, "STYLE", length) == 0) {
        put_asset(out, asset_report_css, asset_report_css_size);
    } else if (strncmp(name, "DATA", length) == 0) {
        report_data(out, source);
    } else if (strncmp(name, "SCRIPT", length) == 0) {
        put_asset(out, asset_scene_js, asset_scene_js_size);
        put_asset(out, asset_plots_js, asset_plots_js_size);
        put_asset(out, asset_report_js, asset_report_js_size);
    }
}

void report_write(FILE *out, const report_source *source)
{
    const char *text = (const char *)asset_report_html; // ends with 0
    for (const char *mark; (mark = strstr(text, "@@")) != NULL;) {
        const char *end = strstr(mark + 2, "@@");
        if (!end) {
            break;
        }
        fwrite(text, 1u, (size_t)(mark - text), out);
        fill(out, source, mark + 2, (size_t)(end - mark - 2));
        text = end + 2;
    }
    fputs(text, out);
}
