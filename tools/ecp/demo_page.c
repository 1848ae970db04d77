#include "demo_page.h"

#include "assets.h"
#include "json.h"
#include "picture.h"

#include <string.h>

static const char cards_place[] = "@@CARDS@@", style_place[] = "@@STYLE@@";

void demo_page_start(FILE *out)
{
    const char *text = (const char *)asset_index_html; // ends with 0
    const char *style = strstr(text, style_place), *cards = strstr(text, cards_place);
    if (!style || !cards) {
        return;
    }
    fwrite(text, 1u, (size_t)(style - text), out);
    picture_style(out);
    style += strlen(style_place);
    fwrite(style, 1u, (size_t)(cards - style), out);
}

void demo_page_end(FILE *out)
{
    const char *cards = strstr((const char *)asset_index_html, cards_place);
    if (cards) {
        fputs(cards + strlen(cards_place), out);
    }
}

void demo_sentence(char *text, size_t room, const char *file)
{
    FILE *in = fopen(file, "rb");
    size_t n = 0;
    int c = in ? getc(in) : EOF, last = 0;
    while (c == '#' && n + 2u < room) {
        c = getc(in);
        while (c == ' ') {
            c = getc(in);
        }
        while (c != EOF && c != '\n' && !(last == '.' && c == ' ') && n + 2u < room) {
            text[n++] = (char)(last = c);
            c = getc(in);
        }
        if (last == '.' && c != EOF) {
            break;
        }
        text[n++] = ' ';
        c = getc(in);
    }
    while (n > 0u && (text[n - 1u] == ' ' || text[n - 1u] == '\r')) {
        n--;
    }
    text[n] = '\0';
    if (in) {
        fclose(in);
    }
}

static void figure(FILE *out, const char *name, const char *value, bool bad)
{
    fprintf(out, "<div%s><dt>%s</dt><dd>", bad ? " class=\"bad\"" : "", name);
    html_text(out, value);
    fputs("</dd></div>", out);
}

static void figures(FILE *out, const demo_card *card)
{
    const run_result *r = card->result;
    const double depth = r->worst_gap < 0.0 ? -r->worst_gap : 0.0;
    char text[64];
    fputs("<dl>", out);
    (void)snprintf(text, sizeof text, "%ld of %g s", r->steps, card->s->h);
    figure(out, "steps", text, r->status < 0);
    (void)snprintf(text, sizeof text, "%d / %d", r->iterations_median, r->iterations_max);
    figure(out, "iterations", text, false);
    (void)snprintf(text, sizeof text, "%.1e m", depth);
    figure(out, "penetration", text, depth > 1e-6);
    (void)snprintf(text, sizeof text, "%ld", r->degraded);
    figure(out, "degraded", text, r->degraded > 0);
    if (card->error >= 0.0) {
        (void)snprintf(text, sizeof text, "%.1e", card->error);
        figure(out, "error vs analysis", text, false);
    }
    fputs("</dl>", out);
}

void demo_page_card(FILE *out, const demo_card *card)
{
    char sentence[400];
    const picture_options look = { .width = 360, .height = 200, .last = -1, .poses = 5 };
    demo_sentence(sentence, sizeof sentence, card->file);
    if (!card->s) {
        fputs("<article class=\"card\"><h2>", out);
        html_text(out, card->name);
        fputs("</h2><p class=\"bad\">This scenario was refused.</p></article>\n", out);
        return;
    }
    fprintf(out, "<article class=\"card\"><a href=\"");
    html_text(out, card->name);
    fputs(".html\">", out);
    picture_write(out, card->s, card->run, &look);
    fputs("<h2>", out);
    html_text(out, card->s->title[0] ? card->s->title : card->name);
    fputs("</h2></a><p>", out);
    html_text(out, sentence);
    fputs("</p>", out);
    figures(out, card);
    fputs("<p class=\"links\"><a href=\"", out);
    html_text(out, card->name);
    fputs(".html\">report</a> <a href=\"", out);
    html_text(out, card->name);
    fputs(".csv\">CSV</a></p></article>\n", out);
}
