/** Where in somebody's own files something happened: stacks of bundled code, followed back through its source map. */
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import type { Position } from '../../lab/scenario/index.ts';
import type { Bundle } from './bundle.ts';
import { columnBefore } from './loops.ts';

/** The name under which bundled code is compiled: no file has it, so no frame of another is taken for it. */
export const compiledName = ({ file }: Bundle): string => `${file}#bundled`;

const FRAME = /(?:\(|at )([^\s()][^()]*#bundled):(\d+):(\d+)\)?$/;

/** The first place of a stack that lies in one of these bundles, outside of installed packages. */
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
  // Sources are told from where the bundle would have been written: the working directory.
  const file = relative(cwd, resolve(cwd, entry.originalSource));
  return { file: file.startsWith('..') ? resolve(dirname(cwd), file) : file, line: entry.originalLine + 1, col: entry.originalColumn + 1 };
}
