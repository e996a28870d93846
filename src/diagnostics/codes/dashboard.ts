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
  "dashboard.read-only": {
    meaning: "The dashboard was asked to change something, and it is only for reading.",
    remedy: "Serve it without `--read-only`, or use the command line.",
  },
  "dashboard.bad-request": {
    meaning: "The dashboard was sent something that is no action.",
    remedy: "Reload the page: it may be of another version than the server.",
  },
  "dashboard.not-offered": {
    meaning: "What an action is about cannot be treated that way, or is no longer there.",
    remedy: "Look at what the page offers now.",
  },
  "dashboard.busy": {
    meaning: "Another action works on the same thing.",
    remedy: "Wait until it has ended.",
  },
  "dashboard.unconfirmed": {
    meaning: "A deletion was asked for without the name of what is to be deleted.",
    remedy: "Type the name exactly as the page shows it.",
  },
  "dashboard.unknown-plan": {
    meaning: "A plan was to be applied that the server no longer has.",
    remedy: "Make a new plan, look at it, and apply that.",
  },
  "dashboard.action-failed": {
    meaning: "An action ended, and not everything that it set out to do has been done.",
    remedy: "Read what failed; what was done stays done, and the action can be asked for again.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
