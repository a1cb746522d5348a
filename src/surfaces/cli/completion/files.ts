/** Files and folders that a word may go on with; behind scenario files also those that were shipped. */
import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareText } from '../../../schema/values/index.ts';
import { builtProgram } from '../install.ts';
import type { Asked, Candidate } from './candidate.ts';

/** Scenarios and traces, and folders of them. */
export function pathsFor(asked: Asked): readonly Candidate[] {
  const local = entriesFor(asked, (name) => /\.(?:ya?ml|json|jsonl)$/.test(name));
  const shipped = shippedFor(asked);
  return local.some(({ word }) => word === shipped) ? local : [...local, { word: shipped, about: 'shipped scenarios' }];
}

export const filesFor = (asked: Asked): readonly Candidate[] => entriesFor(asked, () => true);
export const foldersFor = (asked: Asked): readonly Candidate[] => entriesFor(asked, () => false);

/** The folder of shipped scenarios as one would type it. */
function shippedFor({ io: { cwd } }: Asked): string {
  const folder = join(dirname(dirname(fileURLToPath(builtProgram('orchsim.js')))), 'scenarios');
  const near = relative(cwd, folder);
  return `${near.startsWith('..') ? folder : near}/`;
}

function entriesFor({ io: { cwd }, current }: Asked, wanted: (name: string) => boolean): readonly Candidate[] {
  const before = current.slice(0, current.lastIndexOf('/') + 1);
  const begun = current.slice(before.length);
  let entries;
  try {
    entries = readdirSync(resolve(cwd, before === '' ? '.' : before), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter(({ name }) => name.startsWith(begun) && (begun !== '' || !HIDDEN.test(name)) && !/[\t\n\r]/.test(name))
    .flatMap((entry) =>
      entry.isDirectory() ? [`${before}${entry.name}/`] : entry.isFile() && wanted(entry.name) ? [before + entry.name] : [],
    )
    .sort(compareText)
    .map((word) => ({ word }));
}

/** Shown when their name is begun. */
const HIDDEN = /^(?:\.|node_modules$)/;
