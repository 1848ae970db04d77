// picture.h - a run as one still picture in SVG: the body at several times, the ground, the ECP trail.
//
// Colours are classes (.ground .grid .f1 .f2 .f3 .edge .stick .slip .halo), so that a page can set
// them for light and dark.
#ifndef ECP_TOOL_PICTURE_H
#define ECP_TOOL_PICTURE_H

#include "trace.h"

typedef struct picture_options {
    double width, height; ///< px
    long first, last;     ///< rows to show; last < 0: until the body is far from where it started
    int poses;            ///< at most
    double spacing;       ///< of the poses, in radii of the body; 0: 1.15
    bool style;           ///< with a style element: the picture stands alone
} picture_options;

void picture_write(FILE *out, const scenario *s, const trace *t, const picture_options *options);
/// The colours of the classes, for light and dark as the system prefers, as CSS.
void picture_style(FILE *out);

#endif
