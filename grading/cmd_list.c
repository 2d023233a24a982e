/* lab list: the ladder, and the data sets. */
#include "grading/cmd.h"

static void list_text(FILE *out)
{
    char number[16], blocks[64];

    for (int i = 0; i < stage_count; i++) {
        const struct stage *s = &stages[i];
        fprintf(out, "%s%-3s%s %-22s %s\n", colour_on(out, COLOUR_BOLD),
                stage_short(s, number, sizeof number), colour_off(out), s->name,
                s->idea);
        fprintf(out, "    before: %s\n", s->before);
        fprintf(out, "    blocks: %s; %d points\n",
                stage_blocks_text(s, blocks, sizeof blocks), s->points);
    }
}

static void list_checks(FILE *out)
{
    for (int i = 0; i < check_count; i++) {
        const struct check *c = &checks[i];
        fprintf(out, "%-13s %s%s\n", c->name, c->summary,
                c->is_extra ? " (only when named)" : "");
        fprintf(out, "    tells: %s\n", c->kinds);
    }
}

static void list_gpus(FILE *out)
{
    for (int i = 0; i < gpu_count; i++)
        fprintf(out, "%-15s %-32s %3u SMs, %4.0f GB/s, %s\n", gpus[i].name,
                gpus[i].title, gpus[i].sms, gpus[i].dram_peak_gbps,
                gpus[i].is_measured ? "measured" : "not measured");
}

static int list_json(FILE *out, struct error *e)
{
    struct json *j = json_new();

    json_open_array(j, "stages");
    for (int i = 0; i < stage_count; i++) {
        const struct stage *s = &stages[i];
        json_open_object(j, NULL);
        json_add_text(j, "name", s->name);
        json_add_text(j, "title", s->title);
        json_add_text(j, "idea", s->idea);
        json_add_text(j, "before", s->before);
        json_open_array(j, "blocks");
        for (const uint32_t *b = s->blocks; *b; b++)
            json_add_uint(j, NULL, *b);
        json_close(j);
        json_add_uint(j, "default_block", s->default_block);
        json_add_uint(j, "items", s->items);
        json_add_text(j, "grid", s->grid_rule == GRID_FILL ? "fill" : "cover");
        json_add_int(j, "points", s->points);
        json_close(j);
    }
    json_close(j);
    json_open_array(j, "data");
    for (int i = 0; i < DATA_KINDS; i++)
        json_add_text(j, NULL, data_sets[i].name);
    json_close(j);
    json_open_array(j, "checks");
    for (int i = 0; i < check_count; i++) {
        json_open_object(j, NULL);
        json_add_text(j, "name", checks[i].name);
        json_add_text(j, "summary", checks[i].summary);
        json_add_text(j, "kinds", checks[i].kinds);
        json_add_bool(j, "in_all", !checks[i].is_extra);
        json_close(j);
    }
    json_close(j);
    json_open_array(j, "gpus");
    for (int i = 0; i < gpu_count; i++) {
        json_open_object(j, NULL);
        json_add_text(j, "name", gpus[i].name);
        json_add_text(j, "title", gpus[i].title);
        json_add_bool(j, "measured", gpus[i].is_measured);
        json_close(j);
    }
    json_close(j);
    bool ok = json_print(j, out, e);
    json_free(j);
    return ok ? OUTCOME_OK : cannot(e);
}

int cmd_list(struct context *context, const struct options *o)
{
    struct error e;
    (void)context;

    if (o->json)
        return list_json(stdout, &e);
    if (o->list_gpus)
        list_gpus(stdout);
    if (!o->list_data && !o->list_checks && !o->list_gpus)
        list_text(stdout);
    if (o->list_checks)
        list_checks(stdout);
    for (int i = 0; o->list_data && i < DATA_KINDS; i++)
        printf("%-9s %s\n", data_sets[i].name, data_sets[i].meaning);
    return OUTCOME_OK;
}
