import type { TransportAnswer } from "./transport.ts";

/** Thrown when the server answered the wish for a socket with an ordinary answer. */
export class SocketRefused extends Error {
  readonly answer: TransportAnswer;

  constructor(answer: TransportAnswer) {
    super(`the server answered ${answer.status} instead of opening a socket`);
    this.name = "SocketRefused";
    this.answer = answer;
  }
}
