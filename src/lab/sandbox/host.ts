/**
 * What of the host a decision must not use: clock, time zone, language, randomness, timers, promises. While a hook of a user runs, these
 * are replaced by traps: a decision that uses one would differ from run to run, or from machine to machine, and could not be replayed.
 */

/** The host's own, which no trap has replaced. */
const { parse } = Date;

/** Whether a text is read as a time of the host's zone: one that names no zone, but for a date alone. */
const isLocalTime = (text: unknown): boolean =>
  typeof text === 'string' && !/^[-+]?\d{4,6}(-\d\d){0,2}$|(Z|GMT|UTC|[-+]\d\d:?\d\d)$/i.test(text.trim()) && !Number.isNaN(parse(text));

const PARTS = ['Date', 'Day', 'FullYear', 'Hours', 'Minutes', 'Month', 'Seconds'];
const TEXTS = ['toString', 'toDateString', 'toTimeString', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'];
const LOCAL: readonly string[] = [...PARTS.flatMap((part) => [`get${part}`, `set${part}`]), 'getTimezoneOffset', ...TEXTS];

/** A class of Dates that ask `refuse` before they say anything of their host. In all else they are Dates. */
function dateRefusing(refuse: (name: string) => void): DateConstructor {
  class Refusing extends Date {}
  for (const name of LOCAL) {
    const original: unknown = Reflect.get(Date.prototype, name);
    if (typeof original !== 'function') continue;
    const value = function (this: Date, ...given: readonly unknown[]): unknown {
      refuse(name);
      return Reflect.apply(original, this, given);
    };
    Object.defineProperty(Refusing.prototype, name, { value, configurable: true, writable: true });
  }
  Object.defineProperty(Refusing.prototype, 'constructor', { value: Date, configurable: true, writable: true });
  return Refusing as DateConstructor;
}

/** The error of a trap. Its stack contains the place of the call. */
export class HostUse extends Error {
  override readonly name = 'HostUse';
  readonly what: string;
  readonly remedy: string;

  constructor(what: string, remedy: string) {
    super(`${what}: ${remedy}`);
    this.what = what;
    this.remedy = remedy;
  }
}

const TIME = "the host's clock differs in every run; input.now and input.elapsed are virtual time";
const CHANCE = "the host's randomness differs in every run; input.random is the seeded stream of this controller";
const PLACE =
  'the language and the time zone of the host differ from machine to machine; < compares texts, and toISOString() writes times, the same everywhere';
const TIMER = "the host's timers run after the simulation has moved on; return wakeAt(t, why) to reconcile again at virtual time t";
const LATER =
  'a promise settles after the simulation has moved on; a decision returns at once, and a write marked resume reads from the server';

/** Trapped functions, by the global object that holds them, with the replacement to use. */
const FUNCTIONS: readonly (readonly [holder: string, remedy: string, names: readonly string[]])[] = [
  ['Math', CHANCE, ['random']],
  ['performance', TIME, ['now']],
  ['crypto', CHANCE, ['randomUUID', 'getRandomValues']],
  ['process', TIME, ['hrtime', 'uptime', 'cpuUsage', 'memoryUsage', 'resourceUsage']],
  ['process', TIMER, ['nextTick']],
  ['', TIMER, ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'requestAnimationFrame']],
  ['AbortSignal', TIMER, ['timeout']],
  ['', LATER, ['fetch']],
  ['String.prototype', PLACE, ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase']],
  ['Number.prototype', PLACE, ['toLocaleString']],
  ['Array.prototype', PLACE, ['toLocaleString']],
];

/** A writable member of the host: its value, and the replacement while a hook runs. */
interface Trap {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly original: unknown;
  readonly replacement: unknown;
}

/** The first use of the host by the running hook; undefined: none so far. */
let met: HostUse | undefined;
let depth = 0;

/** Records a use of the host while a hook runs. Only the first is kept, because later ones follow from it. */
function noteHostUse(what: string, remedy: string): HostUse | undefined {
  if (depth === 0) return undefined;
  const use = new HostUse(what, remedy);
  met ??= use;
  return use;
}

/** Records the start of an asynchronous function. It does not throw, because the exception would be lost in the promise. */
export const noteAsync = (): void => void noteHostUse('an asynchronous function', LATER);

/** Wraps a function of the host so that it throws while a hook runs. */
const refusing = <F extends (...given: never) => unknown>(act: F, what: string, remedy: string): F =>
  new Proxy(act, {
    apply(target, self, given) {
      refuse(what, remedy);
      return Reflect.apply(target, self, given) as unknown;
    },
  });

/** Wraps a function of a module that reads the host (files, processes, randomness) so that it throws while a hook runs. */
export const refuseModule = <F extends (...given: never) => unknown>(act: F, what: string): F =>
  refusing(act, what, 'its result differs from machine to machine; a decision depends on its input and its caches alone');

function refuse(what: string, remedy: string): void {
  const use = noteHostUse(what, remedy);
  if (use !== undefined) throw use;
}

const globalNamed = (name: string): unknown => Reflect.get(globalThis, name);
/** The same by a path: `String.prototype`. */
const globalAt = (path: string): unknown =>
  path.split('.').reduce<unknown>((holder, name) => (isObject(holder) ? Reflect.get(holder, name) : undefined), globalThis);
const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The result of a hook: its return value, or the exception; the first use of the host is thrown in place of both. */
export type Ended<T> = { readonly answer: T } | { readonly thrown: unknown };

export function withoutHost<T>(act: () => T): Ended<T> {
  // A nested hook is part of the outer one.
  if (depth > 0) return { answer: act() };
  const traps = trapsNow();
  for (const { holder, name, replacement } of traps) holder[name] = replacement;
  depth++;
  met = undefined;
  try {
    const answer = act();
    return met === undefined ? { answer } : { thrown: met };
  } catch (thrown) {
    return { thrown: met ?? thrown };
  } finally {
    depth--;
    for (const { holder, name, original } of traps) holder[name] = original;
  }
}

let made: readonly Trap[] = [];

function trapsNow(): readonly Trap[] {
  if (made.length === 0 || !made.every(({ holder, name, original }) => holder[name] === original))
    made = [...functions(), ...constructors()];
  return made;
}

const functions = (): readonly Trap[] =>
  FUNCTIONS.flatMap(([holderName, remedy, names]) => {
    const holder = holderName === '' ? globalThis : globalAt(holderName);
    const within = holderName === '' ? '' : `${holderName}.`;
    return isObject(holder) ? names.flatMap((name) => trap(holder, name, refuserOf(holder, name, `${within}${name}`, remedy))) : [];
  });

/** What refuses in place of a function, and of the functions that it has: `process.hrtime.bigint`. */
function refuserOf(holder: object, name: string, what: string, remedy: string): object {
  const original: unknown = Reflect.get(holder, name);
  const refuser = (): void => refuse(`${what}()`, remedy);
  for (const [inner, value] of isObject(original) ? Object.entries(original) : [])
    if (typeof value === 'function') Object.assign(refuser, { [inner]: () => refuse(`${what}.${inner}()`, remedy) });
  return refuser;
}

/** Returns a trap that replaces a function; none where the object does not allow that. */
function trap(from: object, name: string, replacement: unknown): readonly Trap[] {
  for (let holder: object | null = from; holder !== null; holder = Object.getPrototypeOf(holder) as object | null) {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    if (found === undefined) continue;
    const original: unknown = found.value;
    return found.writable === true && isObject(original)
      ? [{ holder: holder as Record<string, unknown>, name, original, replacement }]
      : [];
  }
  return [];
}

const HookDate = dateRefusing((name) => refuse(`${name}() of a Date`, PLACE));

/** `new Date(0)` reads no clock, and `instanceof Promise` creates no promise: only the other uses are trapped. */
function constructors(): readonly Trap[] {
  const later = globalNamed(LATER_NAME) as object;
  return [
    ...trap(
      globalThis,
      'Date',
      new Proxy(globalNamed('Date') as DateConstructor, {
        apply: () => refuse('Date()', TIME),
        construct(target, given: readonly unknown[], made) {
          if (given.length === 0) refuse('new Date()', TIME);
          if (given.length > 1) refuse('new Date(year, month)', PLACE);
          if (isLocalTime(given[0])) refuse(`new Date('${String(given[0])}')`, PLACE);
          return Reflect.construct(target, given, made === globalNamed('Date') ? HookDate : made) as object;
        },
        get(target, name) {
          if (name === 'now') return () => refuse('Date.now()', TIME);
          if (name !== 'parse') return Reflect.get(target, name) as unknown;
          return (text: unknown): number => {
            if (isLocalTime(text)) refuse(`Date.parse('${String(text)}')`, PLACE);
            return target.parse(String(text));
          };
        },
      }),
    ),
    ...trap(
      globalThis,
      'Intl',
      new Proxy(globalNamed('Intl') as object, {
        get(target, name) {
          refuse(`Intl.${String(name)}`, PLACE);
          return Reflect.get(target, name) as unknown;
        },
      }),
    ),
    ...trap(
      globalThis,
      LATER_NAME,
      new Proxy(later, {
        construct() {
          throw noteHostUse(`new ${LATER_NAME}()`, LATER) ?? new Error(LATER);
        },
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' && typeof name === 'string' && !UNTRAPPED.has(name)
            ? () => refuse(`${LATER_NAME}.${name}()`, LATER)
            : value;
        },
      }),
    ),
  ];
}

const LATER_NAME = 'Promise';
/** Members of Promise that create none. */
const UNTRAPPED: ReadonlySet<string> = new Set(['prototype', 'constructor', 'toString']);
