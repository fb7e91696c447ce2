/* The cycle of shared channels (kernel.h) for every processor, and which kernel a network gets. */
#include "netmodel/shared-engine/kernel.h"

/* For all shapes, as the network says. */
static void run_any(struct net_shared_engine *engine, struct net_shared_tally *tally)
{
    const struct shape shape = {engine->slot_bits,
                                engine->buffer_bits,
                                engine->word_bits,
                                engine->words,
                                engine->early_free,
                                engine->asks_for_places,
                                engine->narrow != NULL,
                                false,
                                0};
    run_shape(engine, shape, tally);
}

/* Kernels of their own need both status flags, and no early free. */
void net_shared_choose_kernel(struct net_shared_engine *engine)
{
    engine->run_cycle = run_any;
    if (engine->early_free || !engine->asks_for_places)
        return;
    if (engine->network.options.portable || !net_shared_choose_avx2(engine))
        choose_shape(engine);
}
