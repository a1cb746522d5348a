/** Files that users name for input and results. Errors say what is wrong with a file; files of users are not overwritten. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { jsonIn } from '../../schema/values/index.ts';
import { STDIN } from '../report/index.ts';
import { BadInput } from './exit.ts';
import { openWholeFile, writeWholeFile } from '../whole-file.ts';

export { STDIN };

/** Returns the message for an error of the file system; undefined for any other error. */
export function systemMessage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  // Node checks paths before it calls the system.
  if (error.code === 'ERR_INVALID_ARG_VALUE') return 'a path holds no NUL';
  if (!('syscall' in error)) return undefined;
  return WORDS[String(error.code)] ?? error.message.replace(/^([A-Z0-9]+): /, '').replace(/,.*/, '');
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder',
  EFBIG: 'it would be larger than the system allows',
  ENOSPC: 'no space is left on the device',
  EROFS: 'the file system is read-only',
  ELOOP: 'its symbolic links form a cycle',
};

/** Performs an action of the file system; where the system refuses it, throws BadInput with this and the reason. */
export function onSystem<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const reason = systemMessage(error);
    throw reason === undefined ? error : new BadInput(`${what}: ${reason}`);
  }
}

/** A file's text; throws BadInput where it cannot be read or is no UTF-8. `full`: its path, or the number of what is open; `shown`: as messages name it. */
export function readText(full: string | number, shown: string): string {
  const bytes = onSystem(`${shown}: cannot be read`, () => readFileSync(full));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadInput(`${shown}:${placeOfForeignByte(bytes)} is not UTF-8: another encoding, such as Latin-1; save it as UTF-8`);
  }
}

/** The place of the first invalid byte: `3:14: byte 0xE9`. */
function placeOfForeignByte(bytes: Buffer): string {
  // Lenient decoding replaces invalid bytes, so the first difference is the first invalid byte.
  const lenient = Buffer.from(bytes.toString('utf8'), 'utf8');
  let at = 0;
  while (at < bytes.length && bytes[at] === lenient[at]) at++;
  const before = bytes.subarray(0, at).toString('utf8').split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}: byte 0x${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}

const OUR_PAGE = /^<!doctype html><!-- orchsim -->/;
const BEGINNINGS = {
  '--trace': /^\{"trace":"orchsim\//,
  '--events': /^\{"t":/,
  '--audit-log': /^\{"kind":"Event","apiVersion":"audit/,
  '--perfetto': /^\{"displayTimeUnit"/,
  '--shiviz': /^\(\?<host>/,
  '--out': OUR_PAGE,
  '--page': OUR_PAGE,
  '--page-on-failure': OUR_PAGE,
  '--log': /^\{"level":"[a-z]+","time":"/,
  '--report': /^\{"report":"orchsim/,
  '--save': /^# (?:Asked of|Imported by orchsim:|Written by orchsim rehearse:) /,
  '--as-job': /^# Written by orchsim search/,
  '--kubeconfig': /^# Written by orchsim serve/,
} as const;

/** Help text: which files a command may overwrite. */
export const FORCE_TEXT = 'also overwrites files that orchsim has not written (it recognises its own by their first characters)';

/** Refuses to overwrite a file that orchsim has not written. Called before anything runs, so that no work is lost. */
export function refuseOverwrite(path: string, option: keyof typeof BEGINNINGS, cwd: string): void {
  if (path === '-') return;
  const full = resolve(cwd, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) throw new BadInput(`${option}: ${path} cannot be written: it is a folder`);
  if (stat?.isFile() !== true || stat.size === 0 || BEGINNINGS[option].test(beginningOf(full))) return;
  throw new BadInput(`${option}: ${path} exists and has other contents; --force overwrites it`);
}

/** The first characters of a file; empty if it cannot be read. */
export function beginningOf(full: string, bytes = 64): string {
  const buffer = Buffer.alloc(bytes);
  try {
    const file = openSync(full, 'r');
    try {
      return buffer.toString('utf8', 0, readSync(file, buffer));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (systemMessage(error) === undefined) throw error;
    return '';
  }
}

/** Returns the error for a file of JSON lines in place of a scenario: which command reads it. Undefined: it is no such file. */
export function jsonLinesProblem(text: string, shown: string): string | undefined {
  const [first = '', second = ''] = text.slice(0, 1 << 20).split('\n', 2);
  if (!isObject(first) || !(isObject(second) || first.startsWith('{"trace":'))) return undefined;
  return first.startsWith('{"trace":"orchsim/v1"')
    ? `${shown}: it is a trace, not a scenario: why, diff, state and walk read it`
    : `${shown}:1:1: expected a scenario, or the head of a trace ({"trace":"orchsim/v1",…}) as run --trace writes it, found other JSON lines`;
}

/** The head may end within a long line. */
const isObject = (line: string): boolean => line.startsWith('{') && (line.length >= 1 << 19 || jsonIn(line) !== undefined);

export interface Target {
  /** The option or command that names the file, for messages. */
  readonly option: string;
  readonly path: string;
  readonly cwd: string;
  /** Permissions of the file; default: as before, or those of the system. */
  readonly mode?: number;
}

const unwritable = ({ option, path }: Target): string => `${option}: ${path} cannot be written`;

/** Writes a whole file, with its parent folders. Throws BadInput and keeps the old file on failure. */
export const writeWhole = (target: Target, text: string): void =>
  onSystem(unwritable(target), () => writeWholeFile(resolve(target.cwd, target.path), text, target.mode));

/**
 * Opens a file that takes its name when it is closed; throws BadInput where it cannot be written. After a later failure nothing more is
 * written, and closing throws BadInput.
 */
export function openWhole(target: Target) {
  const file = onSystem(unwritable(target), () => openWholeFile(resolve(target.cwd, target.path), target.mode));
  let failed: BadInput | undefined;
  const attempt = (act: () => void): void => {
    try {
      if (failed === undefined) onSystem(unwritable(target), act);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      failed = error;
    }
  };
  return {
    write: (text: string): void => attempt(() => file.write(text)),
    close(): void {
      attempt(file.close);
      if (failed === undefined) return;
      file.discard();
      throw failed;
    },
  };
}
