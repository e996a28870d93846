import { type DrawnGraph, graphDot, graphMermaid } from "../../graph/index.ts";

export type Drawing = "mermaid" | "dot" | "svg";

/** A graph in a language for pictures, or as one. */
export async function drawGraph(graph: DrawnGraph, drawing: Drawing): Promise<string> {
  switch (drawing) {
    case "mermaid":
      return graphMermaid(graph);
    case "dot":
      return graphDot(graph);
    case "svg": {
      const { Graphviz } = await import("@hpcc-js/wasm-graphviz");
      const graphviz = await Graphviz.load();
      return graphviz.dot(graphDot(graph));
    }
  }
}
