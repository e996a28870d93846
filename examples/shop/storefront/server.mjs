import { createReadStream } from "node:fs";
import { createServer } from "node:http";

const port = Number(process.env.PORT ?? 7080);
const greeting = new URL("greeting.txt", import.meta.url);

createServer((request, response) => {
  console.log(`${request.method} ${request.url}`);
  response.setHeader("content-type", "text/plain; charset=utf-8");
  createReadStream(greeting).pipe(response);
}).listen(port, "127.0.0.1", () => {
  console.log(`the storefront listens on port ${port}`);
});
