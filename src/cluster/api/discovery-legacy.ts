import { isJsonObject, parseJson } from "../../json/index.ts";
import { splitApiVersion } from "../../objects/index.ts";
import type { Transport } from "../transport/transport.ts";
import { ApiError } from "./api-error.ts";
import type { ApiResource } from "./api-resource.ts";
import type { Discovered } from "./discovery.ts";
import { statusOf } from "./status.ts";
import { unexpectedAnswer, unexpectedValue } from "./unexpected-answer.ts";

interface GroupList {
  readonly groups: readonly {
    readonly versions?: readonly { readonly groupVersion: string }[];
    readonly preferredVersion?: { readonly groupVersion: string };
  }[];
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly namespaced?: boolean;
    readonly kind: string;
    readonly verbs?: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

/** Discovery as servers before 1.26 have it. A group whose server is down is named as such. */
export async function discoverGroupByGroup(transport: Transport): Promise<Discovered> {
  const core = (await read(transport, "/api", "versions")) as { readonly versions: string[] };
  const groups = (await read(transport, "/apis", "groups")) as GroupList;
  const groupVersions = [
    ...core.versions,
    ...groups.groups.flatMap(({ versions = [], preferredVersion }) => {
      const names = versions.map(({ groupVersion }) => groupVersion);
      const preferred = preferredVersion?.groupVersion;
      return preferred === undefined
        ? names
        : [preferred, ...names.filter((name) => name !== preferred)];
    }),
  ];
  const unavailable = new Set<string>();
  const lists = await Promise.all(
    groupVersions.map(async (groupVersion) => {
      const path = groupVersion.includes("/") ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
      const list = await read(transport, path, "resources").catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status.code < 500) throw error;
        unavailable.add(splitApiVersion(groupVersion).group);
        return { resources: [] };
      });
      return readResources(groupVersion, list as ResourceList);
    }),
  );
  return { parts: { "/": lists.flat() }, etags: {}, unavailable: { "/": [...unavailable] } };
}

/** Reads an answer that has a certain list: without it nobody knows what the server serves. */
async function read(transport: Transport, path: string, list: string): Promise<unknown> {
  const answer = await transport.request({ method: "GET", path });
  if (answer.status !== 200) throw new ApiError({ verb: "get", resource: path }, statusOf(answer));
  let value: unknown;
  try {
    value = parseJson(answer.text);
  } catch (error) {
    throw unexpectedAnswer(`get ${path}`, answer, error);
  }
  const found: unknown = isJsonObject(value) ? value[list] : undefined;
  const isRight = (each: unknown): boolean =>
    list === "versions" ? typeof each === "string" : isJsonObject(each);
  if (Array.isArray(found) && found.every(isRight)) return value;
  throw unexpectedValue(`get ${path}`, value, `a list of ${list}`);
}

function readResources(groupVersion: string, { resources }: ResourceList): readonly ApiResource[] {
  const { group, version } = splitApiVersion(groupVersion);
  return resources
    .filter(({ name, kind }) => isText(name) && isText(kind) && !name.includes("/"))
    .map((each) => ({
      group,
      version,
      kind: each.kind,
      plural: each.name,
      singular:
        each.singularName === undefined || each.singularName === ""
          ? each.kind.toLowerCase()
          : each.singularName,
      namespaced: each.namespaced ?? false,
      verbs: each.verbs ?? [],
      shortNames: each.shortNames ?? [],
      categories: each.categories ?? [],
      subresources: resources
        .filter(({ name }) => isText(name) && name.startsWith(`${each.name}/`))
        .map(({ name, verbs = [] }) => ({ name: name.slice(each.name.length + 1), verbs })),
    }));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
