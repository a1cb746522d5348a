/** Modules of Node that a user's module imports: what of them reads the host refuses to be called in a decision. */
import { refuseModule } from '../../lab/sandbox/index.ts';

/** Modules all of whose functions read the host or act on it. */
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
/** Of others, the functions that do. */
const FUNCTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['crypto', new Set(['randomUUID', 'randomBytes', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues', 'generateKeyPairSync'])],
]);

/** The same `require`, whose modules of Node refuse. */
export function requiring(require: (name: string) => unknown): (name: string) => unknown {
  return (name) => {
    const found = require(name);
    const module = name.replace(/^node:/, '');
    const some = FUNCTIONS.get(module);
    return (some !== undefined || HOST.has(module)) && typeof found === 'object' && found !== null ? guarded(module, found, some) : found;
  };
}

/** A copy: modules of Node are shared with everything else that runs. */
function guarded(module: string, found: object, some: ReadonlySet<string> | undefined): object {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(found) as readonly (readonly [string, unknown])[])
    copy[name] =
      typeof value === 'function' && (some === undefined || some.has(name))
        ? refuseModule(value as (...given: never) => unknown, `${name}() of node:${module}`)
        : value;
  return copy;
}
