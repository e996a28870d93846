import type { ServerResponse } from "node:http";
import type { Cluster } from "../cluster/index.ts";
import { json } from "./answer-json.ts";
import { ComponentLogs } from "./component-logs.ts";
import type { DashboardSource } from "./dashboard-source.ts";
import { detailOf } from "./detail-of.ts";
import { EventStream } from "./event-stream.ts";
import type { GraphLayouts } from "./graph-layout.ts";
import { LineBatch } from "./line-batch.ts";
import type { LiveView } from "./live-view.ts";
import type { PlanDesk } from "./plan-desk.ts";

export interface ApiParts {
  readonly cluster: Cluster;
  readonly live: LiveView;
  readonly layouts: GraphLayouts;
  readonly source: DashboardSource | undefined;
  readonly plans: PlanDesk;
}

/** Answers what the page asks: all of it read from what the watches keep, but for logs and plans. */
export async function answerApi(
  { pathname, searchParams }: URL,
  response: ServerResponse,
  { cluster, live, layouts, source, plans }: ApiParts,
): Promise<void> {
  switch (pathname) {
    case "/api/events":
      followView(response, live);
      return;
    case "/api/component": {
      const component = live.component(searchParams.get("key") ?? "");
      if (component === undefined) json(response, 404, { error: "there is no such component" });
      else json(response, 200, detailOf(component, live.world));
      return;
    }
    case "/api/graph":
      json(response, 200, await layouts.of(live.world));
      return;
    case "/api/plan":
      await plans.answer(response);
      return;
    case "/api/logs": {
      const key = searchParams.get("key") ?? "";
      const component = live.component(key);
      if (source !== undefined && component?.dev !== undefined)
        followSource(response, component.name, source);
      else followLogs(response, key, cluster, live);
      return;
    }
    default:
      json(response, 404, { error: "there is nothing here" });
  }
}

/** First everything, then every change. */
function followView(response: ServerResponse, live: LiveView): void {
  const stream = new EventStream(response, () => {
    unsubscribe();
  });
  const unsubscribe = live.subscribe({
    onChange: (change) => void stream.send("change", change),
  });
  void stream.send("snapshot", live.view);
}

/** The source follows builds, commands and pods alike. */
function followSource(response: ServerResponse, component: string, source: DashboardSource): void {
  const stream = new EventStream(response, () => {
    stop();
    batch.close();
  });
  const batch = new LineBatch((lines) => void stream.send("lines", lines));
  const stop = source.followLogs(component, (lines) => {
    batch.add(lines);
  });
}

function followLogs(response: ServerResponse, key: string, cluster: Cluster, live: LiveView): void {
  const stream = new EventStream(response, () => {
    unsubscribe();
    logs.close();
  });
  const logs = new ComponentLogs(cluster, (lines) => stream.send("lines", lines));
  const follow = (): void => {
    const component = live.component(key);
    if (component !== undefined) logs.follow(component);
  };
  const unsubscribe = live.subscribe({ onChange: follow });
  follow();
}
