/** Paths of this installation: the built programs are in one folder, package.json is above it. Tests run from sources, and use `dist`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const fromSource = import.meta.url.endsWith('.ts');
const root = new URL(fromSource ? '../../../' : '../', import.meta.url);

/** A built program: `orchsim.js`, `worker.js`, `browser.js`. */
export const builtProgram = (name: string): URL => new URL(fromSource ? `../../../dist/${name}` : `./${name}`, import.meta.url);

export const shippedScenarios = (): URL => new URL('scenarios/', root);

export const packageRoot = (): string => resolve(fileURLToPath(root));

export const version = (): string =>
  (JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { readonly version: string }).version;
