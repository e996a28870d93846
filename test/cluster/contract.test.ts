import { inject } from "vitest";
import { runContract } from "../contract/run-contract.ts";

runContract("real control plane", () => inject("kubeconfig"));
