// Whether dist/ is what a build would make now: `dist/built-from.json` says what the last one was made from, and what it wrote. `npm ci` has
// just built when `npm test` comes to it, and a build takes twenty seconds of processor time.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const STAMP = 'built-from.json';

/** Folders that a build reads whole; what else of the tree it has read, the stamp lists. */
const FOLDERS = ['src', 'bench', 'bin', 'scenarios'];
/** What packages there are to bundle, and what the bundler is told. */
const BESIDE = ['package.json', 'tsconfig.json', 'node_modules/.package-lock.json'];

const digestOf = (path) => createHash('sha256').update(readFileSync(path)).digest('base64');
const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    : [];

/** One digest of all that a build of this tree reads, and of the Node that runs it; `also`: paths outside the folders. */
export function inputsOf(root, also = []) {
  const paths = FOLDERS.flatMap((folder) => filesIn(join(root, folder)).map((path) => relative(root, path)));
  const hash = createHash('sha256').update(process.version);
  for (const path of [...paths, ...also, ...BESIDE].map((each) => each.split(sep).join('/')).sort((a, b) => (a < b ? -1 : 1)))
    if (existsSync(join(root, path))) hash.update(`\n${path} ${digestOf(join(root, path))}`);
  return hash.digest('base64');
}

/** Writes down what `out` was made from: `begun`, the inputs as they were before, and every path that the bundler read. */
export function stamp(root, out, begun, read) {
  rmSync(join(out, STAMP), { force: true });
  // Somebody has gone on writing meanwhile.
  if (inputsOf(root) !== begun) return;
  const also = read.filter((path) => !/(?:^|\/)node_modules\//.test(path) && !FOLDERS.includes(path.split('/')[0])).sort();
  const names = readdirSync(out, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const outputs = Object.fromEntries(names.sort().map((name) => [name, digestOf(join(out, name))]));
  writeFileSync(join(out, STAMP), `${JSON.stringify({ inputs: inputsOf(root, also), also, outputs }, null, 1)}\n`);
}

/** Whether `out` holds, unchanged, what a build would write now. */
export function isFresh(root, out) {
  try {
    const { inputs, also, outputs } = JSON.parse(readFileSync(join(out, STAMP), 'utf8'));
    return Object.entries(outputs).every(([name, digest]) => digestOf(join(out, name)) === digest) && inputsOf(root, also) === inputs;
  } catch {
    // There is no stamp, or a file is gone.
    return false;
  }
}
