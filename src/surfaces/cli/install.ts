/** Paths of this installation: the built programs are in one folder, package.json is above it. Tests run from sources, and use `dist`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const fromSource = import.meta.url.endsWith('.ts');

/** A built program: `orchsim.js`, `worker.js`, `browser.js`. */
export const builtProgram = (name: string): URL => new URL(fromSource ? `../../../dist/${name}` : `./${name}`, import.meta.url);

export const shippedScenarios = (): URL => new URL(fromSource ? '../../../scenarios/' : '../scenarios/', import.meta.url);

export const packageRoot = (): string => resolve(fileURLToPath(new URL(fromSource ? '../../../' : '../', import.meta.url)));

export function version(): string {
  const text = readFileSync(new URL(fromSource ? '../../../package.json' : '../package.json', import.meta.url), 'utf8');
  const read: unknown = JSON.parse(text);
  return typeof read === 'object' && read !== null && 'version' in read && typeof read.version === 'string' ? read.version : 'unknown';
}
