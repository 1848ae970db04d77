// assets.h - the files of the pages, carried inside the command (made by tools/embed at build time).
#ifndef ECP_TOOL_ASSETS_H
#define ECP_TOOL_ASSETS_H

#include <stddef.h>

extern const unsigned char asset_report_html[], asset_report_css[], asset_report_js[];
extern const unsigned char asset_scene_js[], asset_plots_js[], asset_index_html[];
extern const size_t asset_report_html_size, asset_report_css_size, asset_report_js_size;
extern const size_t asset_scene_js_size, asset_plots_js_size, asset_index_html_size;


typedef struct embedded_file {
    const char *name;
    const unsigned char *text; ///< ends with 0
    size_t size;
} embedded_file;

/// The files of tools/scenarios, by name; the last has name NULL.
extern const embedded_file builtin_scenarios[];

#endif
