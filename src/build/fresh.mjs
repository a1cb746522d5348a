// Whether a build would change dist/: `dist/built-from.json` has the inputs of the last build and its outputs. `npm ci` builds shortly
// before `npm test`, and a build takes twenty seconds of processor time.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const STAMP = 'built-from.json';

/** Folders that count as inputs completely; the stamp lists other inputs. */
const FOLDERS = ['src', 'bench', 'bin', 'scenarios'];
/** The installed packages, and the options of the bundler. */
const BESIDE = ['package.json', 'tsconfig.json', 'node_modules/.package-lock.json'];

const digestOf = (path) => createHash('sha256').update(readFileSync(path)).digest('base64');
const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    : [];

/** Returns one digest of all inputs of a build and of the version of Node; `also`: paths outside the folders. */
export function inputsOf(root, also = []) {
  const paths = FOLDERS.flatMap((folder) => filesIn(join(root, folder)).map((path) => relative(root, path)));
  const hash = createHash('sha256').update(process.version);
  for (const path of [...paths, ...also, ...BESIDE].map((each) => each.split(sep).join('/')).sort((a, b) => (a < b ? -1 : 1)))
    if (existsSync(join(root, path))) hash.update(`\n${path} ${digestOf(join(root, path))}`);
  return hash.digest('base64');
}

/** Writes the stamp of a build: `begun`, the digest of its inputs at the start, and every path that the bundler read. */
export function stamp(root, out, begun, read) {
  rmSync(join(out, STAMP), { force: true });
  // The inputs have changed during the build.
  if (inputsOf(root) !== begun) return;
  const also = read.filter((path) => !/(?:^|\/)node_modules\//.test(path) && !FOLDERS.includes(path.split('/')[0])).sort();
  const names = readdirSync(out, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const outputs = Object.fromEntries(names.sort().map((name) => [name, digestOf(join(out, name))]));
  writeFileSync(join(out, STAMP), `${JSON.stringify({ inputs: inputsOf(root, also), also, outputs }, null, 1)}\n`);
}

/** Whether `out` is unchanged and a build would write the same. */
export function isFresh(root, out) {
  try {
    const { inputs, also, outputs } = JSON.parse(readFileSync(join(out, STAMP), 'utf8'));
    return Object.entries(outputs).every(([name, digest]) => digestOf(join(out, name)) === digest) && inputsOf(root, also) === inputs;
  } catch {
    // The stamp or an output is missing.
    return false;
  }
}
