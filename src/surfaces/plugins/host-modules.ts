/** Modules of Node that a plugin imports. Functions of them that read the host throw when they are called in a decision. */
import { refuseModule } from '../../lab/sandbox/index.ts';

/** Modules whose functions all read the host or act on it. */
const HOST: ReadonlySet<string> = new Set([
  'child_process',
  'dgram',
  'dns',
  'dns/promises',
  'fs',
  'fs/promises',
  'http',
  'http2',
  'https',
  'net',
  'os',
  'perf_hooks',
  'process',
  'timers',
  'timers/promises',
  'tls',
  'worker_threads',
]);
/** Functions that read the host or act on it, by module; the other functions of these modules do not. */
const FUNCTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['crypto', new Set(['randomUUID', 'randomBytes', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues', 'generateKeyPairSync'])],
]);

/** Returns a `require` with guarded modules of Node. */
export function requiring(require: (name: string) => unknown): (name: string) => unknown {
  return (name) => {
    const found = require(name);
    const module = name.replace(/^node:/, '');
    const some = FUNCTIONS.get(module);
    return (some !== undefined || HOST.has(module)) && typeof found === 'object' && found !== null ? guarded(module, found, some) : found;
  };
}

/** Returns a guarded copy: the original is shared with everything else in the process. */
function guarded(module: string, found: object, some: ReadonlySet<string> | undefined): object {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(found) as readonly (readonly [string, unknown])[])
    copy[name] =
      typeof value === 'function' && (some === undefined || some.has(name))
        ? refuseModule(value as (...given: never) => unknown, `${name}() of node:${module}`)
        : value;
  return copy;
}
