import { join } from "node:path";
import { parseImageReference } from "../../../assembly/index.ts";
import { DiagnosticError } from "../../../diagnostics/index.ts";
import {
  dockerfileImages,
  type BuildDefinition,
  type DockerBuild,
  type Dockerfile,
} from "../../../images/index.ts";
import {
  anyValue,
  bool,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  text,
  type Convert,
  type HostCall,
  type Value,
} from "../../starlark/index.ts";
import {
  commandLine,
  filePatterns,
  pathText,
  textDict,
  textList,
  textOrBlob,
  texts,
} from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { FastBuildValue } from "../values/tiltfile-values.ts";
import { imageReference } from "./image-reference.ts";
import { present } from "./present.ts";
import { liveUpdate } from "./live-update.ts";

/** `docker_build`, and `fast_build`, which is only recognised. */
export function dockerBuild(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    docker_build: hostFunction("docker_build", (call) => {
      const given = call.unpack(parameters);
      if (given.dockerfile !== undefined && given.dockerfile_contents !== undefined) {
        throw new EvaluationError(
          "docker_build: dockerfile and dockerfile_contents exclude each other",
        );
      }
      const glob = given.only?.find((path) => path.includes("*"));
      if (glob !== undefined) {
        throw new EvaluationError(
          `docker_build: only takes paths, not patterns such as ${JSON.stringify(glob)}`,
        );
      }
      const context = state.resolve(call, given.context);
      const dockerfile = dockerfileOf(state, call, context, given);
      const definition: DockerBuild = {
        kind: "docker",
        reference: given.ref,
        context,
        dockerfile: dockerfile.file,
        buildArgs: given.build_args ?? {},
        ignore: given.ignore ?? [],
        only: given.only ?? [],
        liveUpdate: liveUpdate(state, call, given.live_update),
        pull: given.pull ?? false,
        ssh: nonEmpty(given.ssh),
        secrets: nonEmpty(given.secret),
        extraTags: nonEmpty(given.extra_tag),
        cacheFrom: nonEmpty(given.cache_from),
        extraHosts: nonEmpty(given.extra_hosts),
        ...present({
          entrypoint: emptyAsNone(given.entrypoint),
          containerArgs: given.container_args,
          target: given.target === "" ? undefined : given.target,
          network: given.network === "" ? undefined : given.network,
          platform: given.platform === "" ? undefined : given.platform,
        }),
      };
      if (given.cache !== undefined)
        state.ignoredSettings.set("docker_build(cache=)", state.placeOf(call));
      const baseImages = dockerfileImages(dockerfile.text, definition.buildArgs);
      declareImage(state, call, definition, {
        matchInEnvVars: given.match_in_env_vars,
        baseImages,
      });
      return null;
    }),

    fast_build: hostFunction("fast_build", (call) => {
      const { ref } = call.unpack({
        ref: required(text),
        base_dockerfile: required(anyValue),
        entrypoint: optionalOrNone(anyValue),
        cache: optionalOrNone(anyValue),
      });
      return new FastBuildValue(ref);
    }),
  };
}

const extraTags: Convert<readonly string[]> = (value) => {
  const tags = texts(value);
  const wrong = tags.find((tag) => tag !== "" && parseImageReference(tag) === undefined);
  if (wrong === undefined) return tags;
  throw new EvaluationError(`${JSON.stringify(wrong)} is no image reference`);
};

const parameters = {
  ref: required(imageReference),
  context: required(pathText),
  build_args: optionalOrNone(textDict),
  dockerfile: optionalOrNone(pathText),
  dockerfile_contents: optionalOrNone(textOrBlob),
  cache: optionalOrNone(anyValue),
  live_update: optionalOrNone(anyValue),
  match_in_env_vars: optionalOrNone(bool),
  ignore: optionalOrNone(filePatterns),
  only: optionalOrNone(filePatterns),
  entrypoint: optionalOrNone(commandLine),
  container_args: optionalOrNone(textList),
  target: optionalOrNone(text),
  ssh: optionalOrNone(texts),
  secret: optionalOrNone(texts),
  network: optionalOrNone(text),
  extra_tag: optionalOrNone(extraTags),
  cache_from: optionalOrNone(texts),
  pull: optionalOrNone(bool),
  platform: optionalOrNone(text),
  extra_hosts: optionalOrNone(texts),
};

function nonEmpty(given: readonly string[] = []): readonly string[] {
  return given.filter((each) => each !== "");
}

export function emptyAsNone(given: readonly string[] | undefined): readonly string[] | undefined {
  return given === undefined || given.length === 0 ? undefined : given;
}

/** A Dockerfile that cannot be read is reported; the image is declared all the same. */
function dockerfileOf(
  state: TiltfileState,
  call: HostCall,
  context: string,
  given: {
    readonly dockerfile: string | undefined;
    readonly dockerfile_contents: string | undefined;
  },
): { readonly file: Dockerfile; readonly text: string } {
  const { dockerfile_contents: contents } = given;
  if (contents !== undefined) return { file: { kind: "text", text: contents }, text: contents };
  const path =
    given.dockerfile === undefined
      ? join(context, "Dockerfile")
      : state.resolve(call, given.dockerfile);
  const file: Dockerfile = { kind: "file", path };
  try {
    return { file, text: state.readText(path) };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    for (const { code, summary } of error.diagnostics) {
      state.report(call, { code, summary: `${call.name}: ${summary}` });
    }
    return { file, text: "" };
  }
}

/** Takes note of a build, for assembly and for whoever builds it. */
export function declareImage(
  state: TiltfileState,
  call: HostCall,
  definition: BuildDefinition,
  more: {
    readonly matchInEnvVars: boolean | undefined;
    readonly baseImages: readonly string[];
  },
): void {
  const { reference } = definition;
  const source = state.placeOf(call);
  state.builds.push({ ...definition, source });
  state.directives.push({
    kind: "image",
    reference,
    baseImages: more.baseImages,
    ...(more.matchInEnvVars === true ? { matchInEnvVars: true } : {}),
    ...(source === undefined ? {} : { source }),
  });
}
