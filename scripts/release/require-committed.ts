import { execute } from "./npm.ts";

/** A version is made of what is committed, so that it can be made again. */
export async function requireCommitted(folder: string): Promise<void> {
  const changes = await execute("git", ["status", "--porcelain"], folder);
  if (changes === "") return;
  throw new Error(
    `These changes are not committed:\n${changes}Commit them, or try it out with --allow-dirty.`,
  );
}
