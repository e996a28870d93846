import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";

const ownerOnly = 0o600;

/** Writes a text that holds secrets: only its owner may ever read it, whatever the file was before. */
export function writePrivateFile(file: string, text: string): void {
  const descriptor = openSync(file, constants.O_CREAT | constants.O_WRONLY, ownerOnly);
  try {
    if (fstatSync(descriptor).isFile()) {
      restrict(() => {
        fchmodSync(descriptor, ownerOnly);
      });
      ftruncateSync(descriptor);
    }
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** The same, so that a reader never sees half of it, and nothing is lost when it cannot be written. */
export function replacePrivateFile(file: string, text: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    writePrivateFile(file, text);
    return;
  }
  const target = found === undefined ? file : realpathSync(file);
  const unfinished = `${target}.${process.pid}.unfinished`;
  try {
    writePrivateFile(unfinished, text);
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Makes a file, or the one that is there, one that only its owner may read. */
export function ensurePrivateFile(file: string): void {
  closeSync(openSync(file, constants.O_CREAT | constants.O_WRONLY, ownerOnly));
  keepPrivate(file);
}

/** Takes the rights of all others from a file that is there. */
export function keepPrivate(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o077) === 0) return;
  restrict(() => {
    chmodSync(file, ownerOnly);
  });
}

/** Some disks know no rights, and some files are another user's: neither can be helped from here. */
function restrict(change: () => void): void {
  try {
    change();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EINVAL") throw error;
  }
}
