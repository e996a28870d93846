/**
 * Dependency graphs: nodes with names, edges with reasons, order, cycles.
 *
 * This folder knows no Kubernetes: a node is a string, and what it stands for is the caller's.
 */
export type { Edge } from "./edge.ts";
export { Graph } from "./graph.ts";
export type { Cycle } from "./cycles-of.ts";
export { cyclesOf } from "./cycles-of.ts";
export { findCycle } from "./find-cycle.ts";
export { withoutSoftCycles } from "./without-soft-cycles.ts";
export type { DrawnGraph, DrawnNode } from "./render-graph.ts";
export { graphDot, graphMermaid, graphText } from "./render-graph.ts";
