/** Completes files and folders. After scenario files, the folder of shipped scenarios is offered too. */
import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareText } from '../../../schema/values/index.ts';
import { builtProgram } from '../install.ts';
import type { CompletionRequest, Candidate } from './candidate.ts';

/** Scenarios, traces, and folders. */
export function pathsFor(request: CompletionRequest): readonly Candidate[] {
  const local = entriesFor(request, (name) => /\.(?:ya?ml|json|jsonl)$/.test(name));
  const shipped = shippedFor(request);
  return local.some(({ word }) => word === shipped) ? local : [...local, { word: shipped, about: 'shipped scenarios' }];
}

export const filesFor = (request: CompletionRequest): readonly Candidate[] => entriesFor(request, () => true);
export const foldersFor = (request: CompletionRequest): readonly Candidate[] => entriesFor(request, () => false);

/** The folder of shipped scenarios as a relative path if that is possible. */
function shippedFor({ io: { cwd } }: CompletionRequest): string {
  const folder = join(dirname(dirname(fileURLToPath(builtProgram('orchsim.js')))), 'scenarios');
  const near = relative(cwd, folder);
  return `${near.startsWith('..') ? folder : near}/`;
}

function entriesFor({ io: { cwd }, current }: CompletionRequest, wanted: (name: string) => boolean): readonly Candidate[] {
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

/** Offered only if the typed word begins with their first characters. */
const HIDDEN = /^(?:\.|node_modules$)/;
