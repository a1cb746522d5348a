/** Maps stacks of bundled code to places in the files of a user, by source maps. */
import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative, resolve } from 'node:path';
import type { Position } from '../../lab/scenario/index.ts';
import type { Bundle } from './bundle.ts';
import { columnBefore } from './loops.ts';

/** The file name under which a bundle is compiled. No file has this name, so a stack frame with it belongs to the bundle. */
export const compiledName = ({ file }: Bundle): string => `${file}#bundled`;

const FRAME = /(?:\(|at )([^\s()][^()]*#bundled):(\d+):(\d+)\)?$/;

/** Returns the first place of a stack that is in one of these bundles and not in an installed package. */
export function placeIn(stack: string, bundles: readonly Bundle[], cwd: string): Position | undefined {
  for (const line of stack.split('\n')) {
    const [, name, row, column] = FRAME.exec(line) ?? [];
    const of = bundles.find((each) => compiledName(each) === name);
    if (of === undefined) continue;
    const place = original(of, Number(row), Number(column), cwd);
    if (place !== undefined && !place.file.includes('node_modules')) return place;
  }
  return undefined;
}

function original(bundle: Bundle, row: number, column: number, cwd: string): Position | undefined {
  const before = columnBefore(bundle.code.split('\n')[row - 1] ?? '', column - 1);
  const entry = new SourceMap(JSON.parse(bundle.map) as SourceMapPayload).findEntry(row - 1, before);
  if (!('originalSource' in entry) || entry.originalSource === undefined) return undefined;
  // Source paths are relative to where the bundle would have been written: the working directory.
  const full = resolve(cwd, entry.originalSource);
  const file = relative(cwd, full);
  return { file: file.startsWith('..') ? full : file, line: entry.originalLine + 1, col: entry.originalColumn + 1 };
}
