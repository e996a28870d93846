import {
  jsonModule,
  mathModule,
  moduleFunction,
  structFunction,
  type Interpreter,
  type Value,
} from "../starlark/index.ts";
import { clusterFunctions } from "./builtins/cluster-functions.ts";
import { compose } from "./builtins/compose.ts";
import { configModule } from "./builtins/config-module.ts";
import { control } from "./builtins/control.ts";
import { customBuild } from "./builtins/custom-build.ts";
import { customDeploy } from "./builtins/custom-deploy.ts";
import { dockerBuild } from "./builtins/docker-build.ts";
import { encoding } from "./builtins/encoding.ts";
import type { Extensions } from "./builtins/extensions.ts";
import { fileFunctions } from "./builtins/files.ts";
import { filterYaml } from "./builtins/filter-yaml.ts";
import { gitFunctions } from "./builtins/git.ts";
import { hydrateFunctions } from "./builtins/hydrate-functions.ts";
import { ignoredSettings } from "./builtins/ignored-settings.ts";
import { includeFunctions } from "./builtins/include.ts";
import { k8sKind } from "./builtins/k8s-kind.ts";
import { k8sResource } from "./builtins/k8s-resource.ts";
import { k8sYaml } from "./builtins/k8s-yaml.ts";
import { linkFunctions } from "./builtins/link.ts";
import { liveUpdateFunctions } from "./builtins/live-update.ts";
import { localFunction } from "./builtins/local.ts";
import { localResource } from "./builtins/local-resource.ts";
import { naming } from "./builtins/naming.ts";
import { osModule } from "./builtins/os-module.ts";
import { portForwardFunctions } from "./builtins/port-forward.ts";
import { probeFunctions } from "./builtins/probe.ts";
import { settingsFunctions } from "./builtins/settings.ts";
import { sysModule } from "./builtins/sys-module.ts";
import type { TiltfileState } from "./tiltfile-state.ts";

/** Every name that a Tiltfile finds besides those of the language. */
export function tiltfileBuiltins(
  state: TiltfileState,
  extensions: Extensions,
  interpreter: () => Interpreter,
): Readonly<Record<string, Value>> {
  return {
    json: jsonModule,
    math: mathModule,
    struct: structFunction,
    module: moduleFunction,
    ...k8sYaml(state),
    ...filterYaml(state),
    ...k8sResource(state),
    ...k8sKind(state),
    ...naming(state, interpreter),
    ...portForwardFunctions,
    ...linkFunctions,
    ...hydrateFunctions(state),
    ...customDeploy(state),
    ...clusterFunctions(state),
    ...dockerBuild(state),
    ...customBuild(state),
    ...liveUpdateFunctions(state),
    ...localFunction(state),
    ...localResource(state),
    ...probeFunctions,
    ...fileFunctions(state),
    ...encoding(state),
    ...gitFunctions(state),
    ...includeFunctions(state),
    ...control(state),
    ...settingsFunctions(state),
    ...ignoredSettings(state),
    ...compose(state),
    ...configModule(state),
    ...osModule(state),
    ...sysModule(state),
    ...extensions.module(),
  };
}
