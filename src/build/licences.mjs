// Collects the licences of bundled packages: names, versions and texts, from the packages themselves.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const OWN = `orchsim itself has no licence yet: "license" in its package.json says so, and choosing one is up to its owner.
What follows are the packages of others that its programs contain, each with its licence.
`;

/** Returns the packages whose files are in these outputs of esbuild, by name and version; paths are relative to `root`. */
export function packagesIn(outputs, root) {
  const folders = new Set();
  for (const { inputs } of outputs)
    for (const path of Object.keys(inputs)) {
      const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (folder !== undefined) folders.add(folder);
    }
  const packages = new Map();
  for (const folder of folders) {
    const at = join(root, folder);
    const { name, version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
    packages.set(`${name} ${version}`, { name, version, license, text: textOf(at, name) });
  }
  return [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found);
}

/** Returns the text of a package's licence, and of its notice if it has one; some packages have it at the end of their README. */
function textOf(folder, name) {
  const files = readdirSync(folder).sort((a, b) => (a < b ? -1 : 1));
  const texts = files
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:\.(?:md|txt))?$/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length > 0) return texts.join('\n\n');
  const readme = files.find((file) => /^readme/i.test(file));
  const text = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8');
  const found = /^(?:#+ *)?licen[cs]e\b.*\n[\s\S]*/im.exec(text)?.[0];
  if (found === undefined) throw new Error(`${name} has no licence that was found`);
  return found.trim();
}

/** Returns the notice: the contents of a bundle, and their licences. */
export const noticeOf = (packages) =>
  `${OWN}\n${packages.map(({ name, version, license }) => `- ${name} ${version} (${license})`).join('\n')}\n${packages
    .map(({ name, version, text }) => `\n${'-'.repeat(80)}\n${name} ${version}\n${'-'.repeat(80)}\n\n${text}\n`)
    .join('')}`;
