/** Runs a bundled module once and checks its default export. Its import of `orchsim` is this running instance. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import { OrchsimError } from '../../engine/error.ts';
import type { CustomKind } from '../../apiserver/kinds/index.ts';
import { noteAsync } from '../../lab/sandbox/index.ts';
import type { Bundle } from './bundle.ts';
import { api, internals } from './face.ts';
import { requiring } from './host-modules.ts';
import { ENDLESS, endless, ENTERED } from './loops.ts';
import { compiledName, placeIn } from './places.ts';

/** Returns the default export of a module; adds to the problems, with the place, if it cannot be run or has none. */
export function evaluate(bundle: Bundle, cwd: string, problems: string[]): unknown {
  try {
    const exported = exportsOf(bundle);
    if (exported === undefined) problems.push(`${bundle.shown}: expected export default defineConfig({ … }), found no default export`);
    return exported;
  } catch (error) {
    const place = error instanceof Error ? placeIn(error.stack ?? '', [bundle], cwd) : undefined;
    const at = place === undefined ? bundle.shown : `${place.file}:${place.line}:${place.col}`;
    problems.push(`${at}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** The kinds in a default export, even if its other members are invalid. */
export const kindsIn = (exported: unknown): readonly CustomKind[] =>
  typeof exported === 'object' && exported !== null && 'kinds' in exported && Array.isArray(exported.kinds)
    ? (exported.kinds as readonly CustomKind[])
    : [];

/** The library. Reading a name that has moved throws an error with the new place. */
const withMoved = new Proxy(api, {
  get(target, name, receiver): unknown {
    if (name in target || typeof name !== 'string') return Reflect.get(target, name, receiver);
    const place = movedTo(name);
    if (place !== undefined) throw new OrchsimError('ORCH_IMPORT', `orchsim exports no ${name}: ${place}`);
    return undefined;
  },
});

function movedTo(name: string): string | undefined {
  if (name === 'defineOwnKind') return 'it is now defineKind';
  if (name in api.schema) return `it is now schema.${name}`;
  if (name in internals) return `import it from 'orchsim/internals'`;
  return undefined;
}

function exportsOf(bundle: Bundle): unknown {
  const module: { exports: { readonly default?: unknown } } = { exports: {} };
  const outside = requiring(createRequire(bundle.file));
  const require = (name: string): unknown => {
    if (name === 'orchsim') return withMoved;
    if (name === 'orchsim/internals') return internals;
    if (name.startsWith('orchsim/')) throw new OrchsimError('ORCH_IMPORT', `${name} is for tests: a configuration imports from 'orchsim'`);
    return outside(name);
  };
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname', ENDLESS, ENTERED];
  const run = compileFunction(bundle.code, parameters, { filename: compiledName(bundle) }) as (...given: readonly unknown[]) => void;
  run(module.exports, require, module, bundle.file, dirname(bundle.file), endless, noteAsync);
  return module.exports.default;
}
