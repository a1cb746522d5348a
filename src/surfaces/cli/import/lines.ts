/** The lines of logs: files, those of a folder, rotated ones that gzip has packed, standard input; piece by piece, because logs are large. */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createGunzip } from 'node:zlib';
import { compareText } from '../../../schema/values/index.ts';
import { BadInput } from '../exit.ts';
import { STDIN, systemMessage } from '../files.ts';
import type { Io } from '../io.ts';
import { shownAs } from '../paths.ts';

const MOST_BYTES = 8 * 1024 * 1024 * 1024;
/** A longer line is cut, and then no JSON. */
const LONGEST_LINE = 32 * 1024 * 1024;
const MOST_FILES = 1000;

export type TakeLine = (text: string, file: string, line: number) => void;

/** The files that paths name, in order; `-` is standard input. Throws BadInput where one is missing. */
export function logFiles(paths: readonly string[], cwd: string): readonly string[] {
  const files = paths.flatMap((path) => {
    if (path === '-') return ['-'];
    const full = resolve(cwd, path);
    const found = statSync(full, { throwIfNoEntry: false });
    if (found === undefined) throw new BadInput(`${path}: no such file or folder`);
    if (!found.isDirectory()) return [full];
    const inside = readdirSync(full, { withFileTypes: true }).filter((entry) => entry.isFile() && /\.(?:log|jsonl?|gz)$/.test(entry.name));
    if (inside.length === 0) throw new BadInput(`${path}: a folder without logs (.log, .json, .jsonl, .gz)`);
    return inside.map(({ name }) => join(full, name)).sort(compareText);
  });
  if (files.length > MOST_FILES) throw new BadInput(`${files.length} files, at most ${MOST_FILES} logs are read`);
  return [...new Set(files)];
}

/** Calls `take` for each line of the files. Throws BadInput where one cannot be read. */
export async function eachLine(files: readonly string[], take: TakeLine, { cwd, stdin }: Pick<Io, 'cwd' | 'stdin'>): Promise<void> {
  const budget = { left: MOST_BYTES };
  for (const file of files) {
    if (file === '-') {
      const splitter = createSplitter(take, STDIN);
      splitter.piece(stdin?.() ?? '');
      splitter.end();
    } else await readFile(file, shownAs(file, cwd), take, budget);
  }
}

async function readFile(full: string, shown: string, take: TakeLine, budget: { left: number }): Promise<void> {
  const splitter = createSplitter(take, shown);
  const decoder = new TextDecoder('utf-8');
  try {
    const bytes = createReadStream(full, { highWaterMark: 1 << 20 });
    const stream = full.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
    bytes.once('error', (error) => stream.destroy(error));
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      budget.left -= piece.length;
      if (budget.left < 0) throw new BadInput(`${shown}: at most ${MOST_BYTES} bytes of logs are read`);
      splitter.piece(decoder.decode(piece, { stream: true }));
    }
    splitter.end();
  } catch (error) {
    const reason =
      systemMessage(error) ??
      (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_') ? unpacking(splitter, error) : undefined);
    if (reason === undefined) throw error;
    if (reason !== '') throw new BadInput(`${shown}: cannot be read: ${reason}`);
  }
}

/** A packed file that is cut has lines that are read. Returns the reason why nothing is; empty: something is. */
function unpacking(splitter: ReturnType<typeof createSplitter>, error: Error): string {
  if (splitter.lines === 0) return error.message;
  splitter.end();
  return '';
}

function createSplitter(take: TakeLine, file: string) {
  let parts: string[] = [];
  let length = 0;
  let line = 0;
  const add = (text: string): void => {
    length += text.length;
    if (length <= LONGEST_LINE + 1) parts.push(text);
  };
  const flush = (): void => {
    line++;
    take(parts.length === 1 ? (parts[0] ?? '') : parts.join(''), file, line);
    parts = [];
    length = 0;
  };
  return {
    get lines() {
      return line;
    },
    piece(text: string): void {
      let from = 0;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        add(text.slice(from, at));
        flush();
        from = at + 1;
      }
      if (from < text.length) add(text.slice(from));
    },
    end(): void {
      if (length > 0) flush();
    },
  };
}
