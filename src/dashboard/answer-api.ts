import type { ServerResponse } from "node:http";
import type { Cluster } from "../cluster/index.ts";
import type { ProviderHost } from "../providers/index.ts";
import { json } from "./answer-json.ts";
import { ComponentLogs } from "./component-logs.ts";
import { followStats } from "./component-stats.ts";
import type { DashboardSource } from "./dashboard-source.ts";
import { detailOf } from "./detail-of.ts";
import { EventStream } from "./event-stream.ts";
import type { GraphLayouts } from "./graph-layout.ts";
import { historyView } from "./history-view.ts";
import { LineBatch } from "./line-batch.ts";
import type { LiveView } from "./live-view.ts";
import { namesView } from "./names-view.ts";
import { ownerDetail } from "./owner-view.ts";
import type { PlanDesk } from "./plan-desk.ts";

export interface ApiParts {
  readonly cluster: Cluster;
  readonly live: LiveView;
  readonly layouts: GraphLayouts;
  readonly source: DashboardSource | undefined;
  readonly plans: PlanDesk;
  readonly providers?: Pick<ProviderHost, "provider"> | undefined;
}

/** Answers what the page asks: all of it read from what the watches keep, but for logs and plans. */
export async function answerApi(
  { pathname, searchParams }: URL,
  response: ServerResponse,
  { cluster, live, layouts, source, plans, providers }: ApiParts,
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
    case "/api/owner": {
      const { chains } = live.world;
      const owner = chains.owners.find(({ key }) => key === searchParams.get("key"));
      if (owner === undefined) json(response, 404, { error: "there is no such owner" });
      else json(response, 200, ownerDetail(owner, chains));
      return;
    }
    case "/api/history": {
      const component = live.component(searchParams.get("component") ?? "");
      const inventory = component?.inventory.key ?? searchParams.get("inventory") ?? "";
      const keys = component && new Set(component.objects.map(({ key }) => key));
      json(response, 200, historyView(live.world.histories.get(inventory) ?? [], keys));
      return;
    }
    case "/api/names":
      json(response, 200, namesView(live.world));
      return;
    case "/api/graph":
      try {
        json(response, 200, await layouts.of(live.world));
      } catch (error) {
        json(response, 500, { error: (error as Error).message });
      }
      return;
    case "/api/plan":
      await plans.answer(response);
      return;
    case "/api/logs": {
      const key = searchParams.get("key") ?? "";
      const component = live.component(key);
      if (source !== undefined && component?.dev !== undefined)
        followSource(response, component.name, source);
      else followLogs(response, searchParams, cluster, live);
      return;
    }
    case "/api/stats": {
      const key = searchParams.get("key") ?? "";
      const stop = new AbortController();
      const stream = new EventStream(response, () => {
        stop.abort();
      });
      void followStats(
        { cluster, providers },
        () => live.component(key),
        (sample) => stream.send("sample", sample),
        stop.signal,
      );
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

function followLogs(
  response: ServerResponse,
  asked: URLSearchParams,
  cluster: Cluster,
  live: LiveView,
): void {
  const key = asked.get("key") ?? "";
  const tailLines = Number(asked.get("tail") ?? 0);
  const stream = new EventStream(response, () => {
    unsubscribe();
    logs.close();
  });
  const logs = new ComponentLogs(cluster, tailLines, (lines) => stream.send("lines", lines));
  const follow = (): void => {
    const component = live.component(key);
    if (component !== undefined) logs.follow(component);
  };
  const unsubscribe = live.subscribe({ onChange: follow });
  follow();
}
