import type { Component } from "../assembly/index.ts";
import type { RunEvent } from "../events/index.ts";
import { stringifyJson } from "../json/index.ts";
import {
  identityKey,
  identityOf,
  type ObjectIdentity,
  type SourcedObject,
} from "../objects/index.ts";
import type { CustomDeploy, LocalResource } from "../sources/tiltfile/index.ts";
import type { DesiredComponent, LoadedSource } from "./dev-source.ts";
import type { LocalServer } from "./local/local-server.ts";

type StatusEvent = Extract<RunEvent, { readonly type: "status" }>;

/** Why a component wants an update. */
export interface PendingUpdate {
  readonly kind: "initial" | "change" | "trigger";
  readonly message: string;
}

/** What the loop remembers of one component. */
export interface DevComponent {
  readonly name: string;
  component: Component;
  local: LocalResource | undefined;
  deploy: CustomDeploy | undefined;
  objects: readonly SourcedObject[];
  /** All that an update depends on, as text: when it changes, an update is wanted. */
  fingerprint: string;
  isSelected: boolean;
  /** Somebody wants nothing of it to run until it is triggered. */
  isDisabled: boolean;
  pending: PendingUpdate | undefined;
  isUpdating: boolean;
  /** How many builds in a row were in vain because files changed meanwhile. */
  restlessBuilds: number;
  /** The objects as they were last applied; undefined before the first time. */
  applied: readonly SourcedObject[] | undefined;
  /** What commands of the user have put into the cluster. */
  deployed: readonly ObjectIdentity[];
  /** Whether such a command ran, well or not, and nothing took away since what it brought. */
  isDeployed: boolean;
  readonly readiness: Map<string, StatusEvent>;
  readonly changedFiles: Set<string>;
  server: LocalServer | undefined;
}

export function newComponent(desired: DesiredComponent): DevComponent {
  return {
    name: desired.component.name,
    component: desired.component,
    local: undefined,
    deploy: undefined,
    objects: [],
    fingerprint: "",
    isSelected: true,
    isDisabled: false,
    pending: undefined,
    isUpdating: false,
    restlessBuilds: 0,
    applied: undefined,
    deployed: [],
    isDeployed: false,
    readiness: new Map(),
    changedFiles: new Set(),
    server: undefined,
  };
}

/** Takes over what the source says now, and tells whether that asks for an update. */
export function redefine(
  entry: DevComponent,
  { component, objects }: DesiredComponent,
  source: LoadedSource,
  images: ReadonlyMap<string, string>,
): boolean {
  entry.component = component;
  entry.objects = objects;
  entry.local = source.localResources.find(({ name }) => name === entry.name);
  entry.deploy = source.customDeploys.find(({ name }) => name === entry.name);
  const { source: _local, ...local } = entry.local ?? {};
  const { source: _deploy, ...deploy } = entry.deploy ?? {};
  // Objects have the names of their images in them; what a deploy command does with them only it knows.
  const deployed = deployImages(entry).map((image) => images.get(image));
  const fingerprint = `${JSON.stringify([local, deploy, deployed])}${objects.map(({ object }) => stringifyJson(object)).join("\n")}`;
  const isChanged = fingerprint !== entry.fingerprint;
  entry.fingerprint = fingerprint;
  return isChanged;
}

/** The images that the command of a custom deploy uses, by the references of their builds. */
export function deployImages({ deploy }: DevComponent): readonly string[] {
  return deploy?.imageDependencies ?? [];
}

/** Whether an image is used that is built by this reference. */
export function usesImage(entry: DevComponent, image: string): boolean {
  return (
    entry.component.images.some(({ build }) => build === image) ||
    deployImages(entry).includes(image)
  );
}

/** Whether commands of this machine are what an update of it runs. */
export function isLocal({ component }: DevComponent): boolean {
  return component.kind === "local";
}

/** Where the objects of a component are, as far as they have been applied. */
export function identitiesOf({ applied, deployed }: DevComponent): readonly ObjectIdentity[] {
  return [...(applied ?? []).map(({ object }) => identityOf(object)), ...deployed];
}

export function keysOf(objects: readonly SourcedObject[]): readonly string[] {
  return objects.map(({ object }) => identityKey(identityOf(object)));
}
