import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const dashboardCodes = {
  "dashboard.port-taken": {
    meaning: "The port of the dashboard cannot be listened on.",
    remedy: "Choose another one with `--port`; 0 takes any that is free.",
  },
  "dashboard.page-missing": {
    meaning: "The files of the dashboard's page are not where they belong.",
    remedy: "In a checkout, `npm run build` makes them; else install the package again.",
  },
  "dashboard.token-unwritable": {
    meaning: "The token that lets a browser in cannot be kept in your state folder.",
    remedy: "Make the folder writable, or set `XDG_STATE_HOME` to one that is.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
