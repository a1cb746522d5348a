/**
 * What of the host a decision must not use: clock, time zone, language, randomness, timers, promises. While a hook of a user runs, these
 * are replaced by traps: a decision that uses one would differ from run to run, or from machine to machine, and could not be replayed.
 */

import { dateRefusing, isLocalTime } from './local-dates.ts';

/** The use of the host that a trap met. Its stack says where. */
export class HostUse extends Error {
  override readonly name = 'HostUse';
  /** `Date.now()`. */
  readonly what: string;
  /** What to use instead: one clause. */
  readonly remedy: string;

  constructor(what: string, remedy: string) {
    super(`${what}: ${remedy}`);
    this.what = what;
    this.remedy = remedy;
  }
}

const TIME = 'the clock of the host differs in every run; input.now and input.elapsed are virtual time';
const CHANCE = 'chance of the host differs in every run; input.random is the seeded stream of this controller';
const PLACE =
  'the language and the time zone of the host differ from machine to machine; < compares texts, and toISOString() writes times, the same everywhere';
const TIMER = 'timers of the host run when the world has gone on; answer wakeAt(t, why) to be asked again at virtual time t';
const LATER = 'a promise settles when the world has gone on; a decision is made at once, and a write marked resume asks the server';

/** Functions by the global that holds them, and what to use instead. */
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

/** A writable member of the host: what is there, and what stands there while a hook runs. */
interface Trap {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly original: unknown;
  readonly replacement: unknown;
}

/** The first use of the host by the hook that runs now; undefined: none so far. */
let met: HostUse | undefined;
let depth = 0;

/** Notes a use of the host, where a hook is running. The first one counts: what follows comes from it. */
function noteHostUse(what: string, remedy: string): HostUse | undefined {
  if (depth === 0) return undefined;
  const use = new HostUse(what, remedy);
  met ??= use;
  return use;
}

/** An asynchronous function was entered. It is noted and goes on: what it threw would be lost in its promise. */
export const noteAsync = (): void => void noteHostUse('an asynchronous function', LATER);

/** A function of the host, of a module say, that refuses to be called while a hook runs. */
const refusing = <F extends (...given: never) => unknown>(act: F, what: string, remedy: string): F =>
  new Proxy(act, {
    apply(target, self, given) {
      refuse(what, remedy);
      return Reflect.apply(target, self, given) as unknown;
    },
  });

/** Refuses a module's function that reads the host: files, processes, chance. */
export const refuseModule = <F extends (...given: never) => unknown>(act: F, what: string): F =>
  refusing(act, what, 'what it answers differs from machine to machine; a decision knows its input and its caches alone');

function refuse(what: string, remedy: string): void {
  const use = noteHostUse(what, remedy);
  if (use !== undefined) throw use;
}

/** A global of the host by its name. */
const globalNamed = (name: string): unknown => Reflect.get(globalThis, name);
/** The same by a path: `String.prototype`. */
const globalAt = (path: string): unknown =>
  path.split('.').reduce<unknown>((holder, name) => (isObject(holder) ? Reflect.get(holder, name) : undefined), globalThis);
const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** What came of a hook: its answer, or what it threw; the first use of the host that it made is thrown in place of both. */
export type Ended<T> = { readonly answer: T } | { readonly thrown: unknown };

/** Runs a hook behind the traps. */
export function withoutHost<T>(act: () => T): Ended<T> {
  // A hook inside a hook is part of the outer one.
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

/** The traps, made anew when a member is not what it was: tests put clocks of their own in place of the host's. */
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

/** A trap in place of a function, where the object that has it lets it be replaced. */
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

/** `new Date(0)` reads no clock, and `instanceof` asks for no promise: the rest of both is refused. */
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
/** Members that say what a promise is, and make none. */
const UNTRAPPED: ReadonlySet<string> = new Set(['prototype', 'constructor', 'toString']);
