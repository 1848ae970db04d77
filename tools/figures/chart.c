#include "chart.h"

#include "json.h"
#include "picture.h"

#include <math.h>

enum { LEFT = 62, RIGHT = 12, TOP = 42, BOTTOM = 36 };

typedef struct axis {
    double low, high, at, length; // at: px of low; length < 0: upwards
} axis;

void chart_add(chart *c, const char *name, const double *x, const double *y, long count)
{
    if (c->count < CHART_SERIES) {
        c->series[c->count++] = (chart_series){ .name = name, .x = x, .y = y, .count = count };
    }
}

void sheet_start(FILE *out, double width, double height)
{
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\">\n<style>",
            width, height, width, height);
    picture_style(out);
    fputs("text{font:11px system-ui,\"DejaVu Sans\",sans-serif;fill:#1c2430}.t{font-weight:600;font-size:12px}.soft{fill:#5b6676}"
          ".frame{fill:none;stroke:#aab3be}.rule{stroke:#e3e7ec;fill:none}"
          ".line{fill:none;stroke-width:1.5;stroke-linejoin:round}.c0{stroke:#2f5fd0}.c1{stroke:#d9640d}.c2{stroke:#0f8f6f}"
          ".c3{stroke:#8a3fd1}.c4{stroke:#c2251d}.c5{stroke:#8c6d1f}.c6{stroke:#0b7f9c}.c7{stroke:#5b6676}.patch{fill:#b5c5e0;stroke:#26344b}"
          "@media(prefers-color-scheme:dark){text{fill:#e6ebf2}.soft{fill:#98a5b6}.frame{stroke:#4a5767}"
          ".rule{stroke:#2a3442}.c0{stroke:#86abff}.c1{stroke:#ff9a4d}.c2{stroke:#39c79f}.c3{stroke:#c48bff}.c4{stroke:#ff7a70}"
          ".c5{stroke:#e6b84a}.c6{stroke:#5cc8e6}.c7{stroke:#98a5b6}.patch{fill:#6b81aa;stroke:#0d131b}}</style>\n"
          "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
          out);
}

void sheet_text(FILE *out, double x, double y, const char *text)
{
    fprintf(out, "<text class=\"t\" x=\"%.1f\" y=\"%.1f\">", x, y);
    html_text(out, text);
    fputs("</text>\n", out);
}

// ---------------------------------------------------------------------------------------------

static double value_of(const chart *c, const chart_series *s, long i)
{
    if (!c->logarithmic) {
        return s->y[i];
    }
    return fabs(s->y[i]) > 0.0 ? log10(fabs(s->y[i])) : (double)NAN;
}

static double place(const axis *a, double value)
{
    return a->at + a->length * (value - a->low) / (a->high - a->low);
}

static void ranges(const chart *c, axis *x, axis *y)
{
    *x = *y = (axis){ .low = 1e300, .high = -1e300 };
    for (int k = 0; k < c->count; k++) {
        const chart_series *s = &c->series[k];
        for (long i = 0; i < s->count; i++) {
            const double v = value_of(c, s, i);
            if (isfinite(v)) {
                x->low = fmin(x->low, s->x[i]);
                x->high = fmax(x->high, s->x[i]);
                y->low = fmin(y->low, v);
                y->high = fmax(y->high, v);
            }
        }
    }
    if (x->low > x->high) {
        *x = *y = (axis){ .low = 0.0, .high = 1.0 };
    }
    const double least = fmax(c->y_least, 1e-9 * fmax(fabs(y->low), fabs(y->high)));
    if (y->high - y->low < least) {
        const double middle = 0.5 * (y->low + y->high);
        y->low = middle - 0.5 * least;
        y->high = middle + 0.5 * least;
    }
    if (!(y->high > y->low)) {
        y->high = y->low + 1.0;
    }
    const double pad = 0.05 * (y->high - y->low);
    y->low -= pad;
    y->high += pad;
}

static double round_step(double raw)
{
    const double power = pow(10.0, floor(log10(raw)));
    return raw <= 1.001 * power ? power : raw <= 2.001 * power ? 2.0 * power
                                      : raw <= 5.001 * power  ? 5.0 * power
                                                              : 10.0 * power;
}

// %g of a multiple of the step, without the rounding of the product
static void tick(FILE *out, double value, double step, bool power)
{
    const double clean = fabs(value) < 1e-9 * step ? 0.0 : value;
    if (power) {
        fprintf(out, "1e%.0f", clean);
    } else {
        fprintf(out, "%.6g", clean);
    }
}

static void rules(FILE *out, const chart *c, const axis *x, const axis *y)
{
    const double right = x->at + x->length, top = y->at + y->length;
    const double sy = c->logarithmic ? fmax(1.0, ceil((y->high - y->low) / 6.0)) : round_step((y->high - y->low) / 5.0);
    const double sx = round_step((x->high - x->low) / 5.0);
    for (double v = ceil(y->low / sy) * sy; v <= y->high; v += sy) {
        fprintf(out, "<path class=\"rule\" d=\"M%.1f %.1fH%.1f\"/><text class=\"soft\" text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">",
                x->at, place(y, v), right, x->at - 5.0, place(y, v) + 4.0);
        tick(out, v, sy, c->logarithmic);
        fputs("</text>", out);
    }
    for (double v = ceil(x->low / sx - 1e-9) * sx; v <= x->high + 1e-9 * sx; v += sx) {
        fprintf(out, "<path class=\"rule\" d=\"M%.1f %.1fV%.1f\"/><text class=\"soft\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">",
                place(x, v), y->at, top, place(x, v), y->at + 14.0);
        tick(out, v, sx, false);
        fputs("</text>", out);
    }
    fprintf(out, "<path class=\"frame\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", x->at, top, y->at, right);
}

static void line(FILE *out, const chart *c, int k, const axis *x, const axis *y)
{
    const chart_series *s = &c->series[k];
    bool pen = false;
    fprintf(out, "<path class=\"line c%d\"%s d=\"", k, s->dashed ? " stroke-dasharray=\"5 4\"" : "");
    for (long i = 0; i < s->count; i++) {
        const double v = value_of(c, s, i);
        if (isfinite(v)) {
            fprintf(out, "%s%.1f %.1f", pen ? "L" : "M", place(x, s->x[i]), place(y, v));
        }
        pen = isfinite(v);
    }
    fputs("\"/>\n", out);
    for (long i = 0; i < s->count && s->dots; i++) {
        const double v = value_of(c, s, i);
        if (isfinite(v)) {
            fprintf(out, "<circle class=\"line c%d\" r=\"2.2\" cx=\"%.1f\" cy=\"%.1f\"/>", k, place(x, s->x[i]), place(y, v));
        }
    }
}

void chart_write(FILE *out, const chart *c, double left, double top, double width, double height)
{
    axis x, y;
    ranges(c, &x, &y);
    x.at = left + LEFT;
    x.length = width - LEFT - RIGHT;
    y.at = top + height - BOTTOM;
    y.length = -(height - TOP - BOTTOM);
    sheet_text(out, left + 8.0, top + 15.0, c->title);
    double at = left + LEFT;
    for (int k = 0; k < c->count; k++) {
        fprintf(out, "<path class=\"line c%d\"%s d=\"M%.1f %.1fh16\"/><text x=\"%.1f\" y=\"%.1f\">", k,
                c->series[k].dashed ? " stroke-dasharray=\"5 4\"" : "", at, top + 28.0, at + 20.0, top + 32.0);
        html_text(out, c->series[k].name);
        fputs("</text>", out);
        double letters = 0.0;
        for (const char *p = c->series[k].name; *p; p++) {
            letters += 1.0;
        }
        at += 27.0 + 5.7 * letters;
    }
    rules(out, c, &x, &y);
    for (int k = 0; k < c->count; k++) {
        line(out, c, k, &x, &y);
    }
    fprintf(out, "<text class=\"soft\" text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">", x.at + x.length, y.at + 28.0);
    html_text(out, c->x_label);
    fprintf(out, "</text><text class=\"soft\" text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">", left + width - RIGHT, top + 15.0);
    html_text(out, c->y_label);
    fputs("</text>\n", out);
}
