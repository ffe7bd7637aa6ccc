#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// oneTBB's flow graph, made to run the same shapes: each operation is a `continue_node`.
///
/// Each function makes a graph, runs it and frees it. A `width` is the number of slots of the arena, of which the caller
/// takes one unless said; without a width the arena has as many as there are processors.

/// Runs `count` nodes that do nothing, each started as soon as it is made.
void onetbb_independent(int count, int width);

/// The same, with all slots for the library's own threads: the caller only hands over.
void onetbb_independent_outside(int count, int width);

/// Runs `count` nodes, each after the one before.
void onetbb_chain(int count);

/// Runs one node, then `count`, then one.
void onetbb_diamond(int count);

/// Runs `count` nodes that each block their thread.
void onetbb_blocking(int count, int width, unsigned microseconds);

/// Runs `count` free nodes beside `blocked` nodes that wait for one that has not started.
/// Returns the nanoseconds from making the free ones to their release.
long long onetbb_beside_blocked(int count, int blocked);

/// Starts `count` nodes that nobody can run yet, and cancels them.
/// Returns the nanoseconds from cancelling to their release.
long long onetbb_cancel(int count);

/// Starts `count` nodes that nobody can run yet, calls `look` with `context`, and lets them run.
void onetbb_hold(int count, void (*look)(void *context), void *context);

/// The version of the library at run time.
const char *onetbb_version(void);

#ifdef __cplusplus
}
#endif
