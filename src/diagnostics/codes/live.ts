import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const liveCodes = {
  "live.locked": {
    meaning: "Another run holds the Lease of the inventory.",
    remedy: "Wait for it to end; the Lease of a run that died expires after 30 seconds.",
  },
  "live.inventories-not-served": {
    meaning:
      "The cluster has, or may have, inventories, but its API server does not serve their kind at the moment: it has not started completely, or leaves groups out of what it says that it serves.",
    remedy: "Wait until the API server has started completely, and run the command again.",
  },
  "live.no-group": {
    meaning: "The input names no inventory: it has no ResourceGroup.",
    remedy: "Make one with `keelson live init`, or give its file with --rg-file.",
  },
  "live.kptfile-inventory": {
    meaning: "The inventory is still in the Kptfile, where a stream cannot bring it along.",
    remedy: "Move it with `keelson live migrate`.",
  },
  "live.invalid-kptfile": {
    meaning: "The Kptfile is no YAML, or its inventory has no name.",
    remedy: "Correct it at the place that is shown.",
  },
  "live.config-map-inventory": {
    meaning: "The inventory of the input is a ConfigMap, the form that came before ResourceGroups.",
    remedy: "Move it with `keelson live migrate`; nothing that it owns is touched.",
  },
  "live.ignored-objects": {
    meaning: "The file of the ResourceGroup holds other objects, which are not applied.",
    remedy: "Move them to the input.",
  },
  "live.several-groups": {
    meaning: "More than one ResourceGroup was found; an apply has exactly one.",
    remedy: "Keep one of those that are listed.",
  },
  "live.invalid-group": {
    meaning: "The ResourceGroup has a name, namespace or id that the API server would refuse.",
    remedy: "Correct it, or choose a shorter name with --name.",
  },
  "live.unlisted-objects": {
    meaning:
      "Objects carry the annotation of an inventory that does not list them: another tool wrote them, the group was lost, or a write arrived after its run had lost the Lease.",
    remedy:
      "`keelson live recover` lists them again; the next apply keeps those that are wanted and prunes the others.",
  },
  "live.recover-incomplete": {
    meaning:
      "`live recover` may not list every kind, so it may not find all that an inventory owned.",
    remedy: "Run it again as a user who may list all kinds in the whole cluster.",
  },
  "live.not-a-package": {
    meaning: "A command that changes the files of a package was given a file.",
    remedy: "Name the directory of the package.",
  },
  "live.not-in-time": {
    meaning: "`status` was told to wait, and the time was over before what it waited for.",
    remedy: "Look at the objects that are not ready, or wait longer with --timeout.",
  },
  "live.group-exists": {
    meaning: "`live init` would overwrite an inventory that is there.",
    remedy: "Use it as it is, or replace it with --force.",
  },
  "live.id-mismatch": {
    meaning: "The ResourceGroup in the cluster has another inventory id than the input.",
    remedy: "Use the id of the cluster, or override it once with --inventory-policy=adopt.",
  },
  "live.unreadable-group": {
    meaning: "The lists of a ResourceGroup in the cluster were edited into something else.",
    remedy: "Correct it with `kubectl edit`; nothing was written.",
  },
  "live.invalid-dependency": {
    meaning:
      "A depends-on annotation cannot be read, or names an object that is nowhere or is being pruned.",
    remedy: "Correct the annotation, or add the object.",
  },
  "live.invalid-mutation": {
    meaning: "An apply-time-mutation annotation cannot be read.",
    remedy: "Correct the annotation; the message says which part of it.",
  },
  "live.cycle": {
    meaning: "Objects wait for each other in a circle.",
    remedy: "Remove one of the edges that are listed.",
  },
  "live.dependency-not-ready": {
    meaning: "An object outside this run that another one depends on is not ready.",
    remedy: "Look at that object; the message says what it lacks.",
  },
  "live.mutation-failed": {
    meaning: "An apply-time mutation hit no field, or several, or no text.",
    remedy: "Correct the path in the annotation; it must hit exactly one field.",
  },
  "live.plan-file": {
    meaning: "A saved plan cannot be read or written.",
    remedy: "Check the path, and make the plan with `keelson live plan --save FILE`.",
  },
  "live.plan-outdated": {
    meaning:
      "The input, the inventory or the cluster changed after the plan was saved, so that an apply would do something else.",
    remedy: "Make a new plan, look at it, and apply that.",
  },
  "live.release-missing": {
    meaning: "There is no Helm release of this name in the namespace.",
    remedy: "`helm list --all-namespaces` shows releases and their namespaces.",
  },
  "live.release-not-deployed": {
    meaning:
      "A Helm release cannot be migrated while Helm changes it, or when nothing of it is deployed.",
    remedy: "Let Helm end it, by another upgrade or a rollback; then migrate.",
  },
  "live.release-unreadable": {
    meaning: "A Secret that is marked as a Helm release does not hold one.",
    remedy: "Restore it from a backup, or delete it if Helm cannot read it either.",
  },
  "live.not-adopted": {
    meaning: "An object of a Helm release belongs to another inventory, or changes all the time.",
    remedy: "Remove it from the package of that inventory first, with an annotation that keeps it.",
  },
  "live.restart": {
    meaning: "A workload cannot be restarted, or was, and its new pods do not become ready.",
    remedy: "Look at its pods, events and log; `kubectl rollout undo` brings the former ones back.",
  },
  "live.interrupted": {
    meaning: "The run was interrupted before this object was written.",
    remedy: "Run it again: it goes on where it was stopped.",
  },
  "live.lease-lost": {
    meaning:
      "Another run took the Lease of the inventory over while this one was out of reach, or somebody deleted it.",
    remedy: "Run it again when the other run has ended; nothing that was applied is lost.",
  },
  "live.watch-forbidden": {
    meaning: "Objects that are waited for may not be watched, so they are read again and again.",
    remedy: "Allow the verb watch for that kind, which is faster and costs the server less.",
  },
  "live.definition-refused": {
    meaning: "The kind ResourceGroup cannot be installed: its CustomResourceDefinition is refused.",
    remedy: "Look at the conditions of the CustomResourceDefinition resourcegroups.kpt.dev.",
  },
  "live.absent-owner": {
    meaning:
      "An object names owners that are not in the cluster, or have another uid there: garbage collection would delete it.",
    remedy: "Write the uid of the live owner, or leave ownerReferences out.",
  },
  "live.namespace-missing": {
    meaning: "The namespace of the inventory does not exist and is not in the input.",
    remedy: "Create it, or add it to the input.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
