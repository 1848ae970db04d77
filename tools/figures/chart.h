// chart.h - line charts and their arrangement on a sheet, in SVG.
#ifndef ECP_FIGURE_CHART_H
#define ECP_FIGURE_CHART_H

#include <stdbool.h>
#include <stdio.h>

enum { CHART_SERIES = 8 };

typedef struct chart_series {
    const char *name;
    const double *x, *y; ///< y not finite: a gap
    long count;
    bool dashed, dots;
} chart_series;

typedef struct chart {
    const char *title, *x_label, *y_label;
    double y_least;    ///< least height of the range, so that rounding does not fill the chart
    bool logarithmic;  ///< of |y|; zeros are left out
    int count;
    chart_series series[CHART_SERIES];
} chart;

/// Add a line to a chart.
void chart_add(chart *c, const char *name, const double *x, const double *y, long count);
/// Draw it into the rectangle.
void chart_write(FILE *out, const chart *c, double x, double y, double width, double height);

/// A sheet of that size: the SVG element and its styles; end with "</svg>".
void sheet_start(FILE *out, double width, double height);
void sheet_text(FILE *out, double x, double y, const char *text);

#endif
