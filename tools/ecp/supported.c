// What scenario files may say and this version of the library cannot do: everything in one place,
// so that a part that arrives only has to be deleted here.
#include "scenario.h"

#include <string.h>

static bool one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool supported_table(const toml_table *table, fault *why)
{
    static const char *const later[] = { "piece", "link", "motor", "joint" };
    if (one_of(table->name, later, sizeof later / sizeof *later)) {
        return fault_set(
            why, table->line,
            "[[%s]] is not supported yet by this version; expected [[body]], [[contact]], "
            "[[wrench]] or [[impulse]]",
            table->name);
    }
    return true;
}

bool supported_shape(const toml_key *shape, fault *why)
{
    if (strcmp(shape->value.string, "pieces") == 0) {
        return fault_at(why, shape->value.where,
                         "shape 'pieces' is not supported yet by this version; expected "
                         "a convex shape");
    }
    return true;
}

bool supported_model(const toml_key *model, fault *why)
{
    static const char *const later[] = { "lcp", "no_slip", "viscous" };
    if (one_of(model->value.string, later, sizeof later / sizeof *later)) {
        return fault_at(why, model->value.where,
                         "model '%s' is not supported yet by this version; expected ecp",
                         model->value.string);
    }
    return true;
}

static bool flat(ecp_shape_kind kind)
{
    return kind == ECP_SHAPE_HALFSPACE || kind == ECP_SHAPE_BOX || kind == ECP_SHAPE_POLYTOPE;
}

static bool sphere(const ecp_shape *s)
{
    return s->kind == ECP_SHAPE_ELLIPSOID && !(s->size.x < s->size.y) && !(s->size.x > s->size.y) &&
           !(s->size.y < s->size.z) && !(s->size.y > s->size.z);
}

bool supported_pair(const scenario_body *a, const scenario_body *b, int line, fault *why)
{
    if (!flat(a->shape.kind) && !flat(b->shape.kind) && !(sphere(&a->shape) && sphere(&b->shape))) {
        return fault_set(
            why, line,
            "a contact between '%.40s' and '%.40s' is not supported yet by this version; "
            "expected one of the two to be a halfspace, box, hull or facets, or both to be spheres",
            a->name, b->name);
    }
    return true;
}
