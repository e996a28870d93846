/** Serves the files of a folder on loopback, as git's plain HTTP needs them, until its standard input ends. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, normalize } from "node:path";

const [folder = "."] = process.argv.slice(2);
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  readFile(join(folder, normalize(pathname))).then(
    (contents) => response.end(contents),
    () => response.writeHead(404).end(),
  );
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().on("end", () => process.exit(0));
