#include "COneTBB.h"

#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>

#include <chrono>
#include <deque>
#include <memory>
#include <unistd.h>

namespace flow = tbb::flow;

namespace {

using Node = flow::continue_node<flow::continue_msg>;
/// Nodes neither move nor copy; a deque builds them in place, with few allocations.
using Nodes = std::deque<Node>;

void nothing(const flow::continue_msg &) {}

/// Starts `count` nodes without edges.
template <typename Body> void start(flow::graph &graph, Nodes &nodes, int count, Body body) {
    for (int index = 0; index < count; index++) nodes.emplace_back(graph, body).try_put(flow::continue_msg());
}

long long nanoseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

void onetbb_independent(int count, int width) {
    tbb::task_arena arena(width);
    arena.execute([=] {
        flow::graph graph;
        Nodes nodes;
        start(graph, nodes, count, nothing);
        graph.wait_for_all();
    });
}

void onetbb_independent_outside(int count, int width) {
    // The library counts the caller among its threads, even where it does not take part.
    tbb::global_control threads(tbb::global_control::max_allowed_parallelism, width + 1);
    tbb::task_arena arena(width, 0);
    std::unique_ptr<flow::graph> graph;
    arena.execute([&] { graph = std::make_unique<flow::graph>(); });
    Nodes nodes;
    start(*graph, nodes, count, nothing);
    graph->wait_for_all();
}

void onetbb_chain(int count) {
    flow::graph graph;
    Nodes nodes;
    for (int index = 0; index < count; index++) {
        nodes.emplace_back(graph, nothing);
        if (index > 0) flow::make_edge(nodes[index - 1], nodes[index]);
    }
    nodes.front().try_put(flow::continue_msg());
    graph.wait_for_all();
}

void onetbb_diamond(int count) {
    flow::graph graph;
    Node first(graph, nothing);
    Nodes nodes;
    Node last(graph, nothing);
    for (int index = 0; index < count; index++) {
        nodes.emplace_back(graph, nothing);
        flow::make_edge(first, nodes.back());
        flow::make_edge(nodes.back(), last);
    }
    first.try_put(flow::continue_msg());
    graph.wait_for_all();
}

void onetbb_blocking(int count, int width, unsigned microseconds) {
    // Without this the library makes no more threads than there are processors, whatever the arena's width.
    tbb::global_control threads(tbb::global_control::max_allowed_parallelism, width);
    tbb::task_arena arena(width);
    arena.execute([=] {
        flow::graph graph;
        Nodes nodes;
        start(graph, nodes, count, [=](const flow::continue_msg &) { usleep(microseconds); });
        graph.wait_for_all();
    });
}

long long onetbb_beside_blocked(int count, int blocked) {
    flow::graph graph;
    Node gate(graph, nothing);
    Nodes waiting;
    for (int index = 0; index < blocked; index++) {
        waiting.emplace_back(graph, nothing);
        flow::make_edge(gate, waiting.back());
    }
    const auto begin = std::chrono::steady_clock::now();
    {
        Nodes nodes;
        start(graph, nodes, count, nothing);
        graph.wait_for_all();
    }
    const auto result = nanoseconds_since(begin);
    gate.try_put(flow::continue_msg());
    graph.wait_for_all();
    return result;
}

long long onetbb_cancel(int count) {
    long long result = 0;
    // The only slot is the caller's, so that nothing runs before the wait.
    tbb::task_arena arena(1);
    arena.execute([&] {
        flow::graph graph;
        Nodes nodes;
        start(graph, nodes, count, nothing);
        const auto begin = std::chrono::steady_clock::now();
        graph.cancel();
        graph.wait_for_all();
        nodes.clear();
        result = nanoseconds_since(begin);
    });
    return result;
}

void onetbb_hold(int count, void (*look)(void *), void *context) {
    tbb::task_arena arena(1);
    arena.execute([=] {
        flow::graph graph;
        Nodes nodes;
        start(graph, nodes, count, nothing);
        look(context);
        graph.wait_for_all();
    });
}

const char *onetbb_version(void) { return TBB_runtime_version(); }
