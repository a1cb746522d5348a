/** What must not stand in the code, and what to write instead. Patterns see code without comments and literals. */

export interface Ban {
  readonly name: string;
  readonly pattern: RegExp;
  /** What to do instead; completes the message. */
  readonly remedy: string;
  /** Where it holds; absent: everywhere under src. */
  readonly where?: 'below surfaces';
}

const below = 'below surfaces' as const;
const time = 'time is an argument: use input.now';

export const BANS: readonly Ban[] = [
  { name: 'Date.now', pattern: /\bDate\s*\.\s*now\b/g, remedy: time, where: below },
  { name: 'new Date()', pattern: /\bnew\s+Date\b\s*(?:\(\s*\)|(?=[;,)\]}]))/g, remedy: time, where: below },
  { name: 'Date()', pattern: /(?<!new\s+)(?<![.\w])Date\s*\(/g, remedy: time, where: below },
  { name: 'performance', pattern: /(?<![.\w])performance\s*\./g, remedy: time, where: below },
  {
    name: 'a local date',
    pattern:
      /\.(?:get(?:FullYear|Month|Date|Day|Hours|Minutes|TimezoneOffset)|set(?:FullYear|Month|Date|Hours|Minutes)|to(?:DateString|TimeString))\s*\(/g,
    remedy: 'the host has a time zone, the simulation has not: use the UTC method',
    where: below,
  },
  {
    name: 'Math.random',
    pattern: /\bMath\s*\.\s*random\b/g,
    remedy: "chance comes from a named stream: random.stream('module/consumer')",
    where: below,
  },
  {
    name: 'crypto',
    pattern: /(?<![.\w])crypto\s*\.|\brandomUUID\b/g,
    remedy: "uids come from a named stream: random.stream('module/consumer')",
    where: below,
  },
  {
    name: 'a timer',
    pattern:
      /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame|requestIdleCallback)\b|\bprocess\s*\.\s*nextTick\b/g,
    remedy: 'waiting is a pending event: schedule a record on the kernel',
    where: below,
  },
  {
    name: 'a promise',
    pattern: /\bPromise\b|\bawait\b|\basync\b(?=\s*(?:\(|function\b|\w+\s*=>|\w+\s*\(|<))/g,
    remedy: 'below surfaces everything is synchronous: return the value, or schedule an event on the kernel',
    where: below,
  },
  {
    name: 'localeCompare',
    pattern: /\.\s*localeCompare\b/g,
    remedy: 'the host has a language: compareText of schema/values has none',
    where: below,
  },
  { name: 'toLocale…', pattern: /\.\s*toLocale\w+/g, remedy: 'the host has a language: format by hand', where: below },
  {
    name: "Intl with the host's defaults",
    pattern: /\bIntl\s*\.\s*\w+\s*\(\s*(?:\)|undefined\b|\[\s*\])/g,
    remedy: "name the locale and the zone: new Intl.DateTimeFormat('en-US', { timeZone, … })",
    where: below,
  },
  {
    name: 'Intl.DateTimeFormat without a zone',
    pattern: /\bIntl\s*\.\s*DateTimeFormat\s*\((?![^;]*?\btimeZone\b)/g,
    remedy: "name the zone: new Intl.DateTimeFormat('en-US', { timeZone, … })",
    where: below,
  },
  {
    name: 'sort() without a comparator',
    pattern: /\.\s*(?:sort|toSorted)\s*\(\s*\)/g,
    remedy: 'say the order: give it a comparator',
    where: below,
  },
  {
    name: 'transcendental maths',
    pattern:
      /\bMath\s*\.\s*(?:exp|expm1|log|log2|log10|log1p|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|cbrt|hypot)\b/g,
    remedy: 'its last bit differs between engines: use the exp and ln of engine/random, or whole numbers',
    where: below,
  },
  {
    name: '**',
    pattern: /(?<!\d\w*n\s*)(?<!\b[bB]ig\w*\([^()]*\)\s*)\*\*(?!\s*\/)/g,
    remedy: 'its last bit differs between engines: multiply, use a table of powers, or bigint (10n ** exponent)',
    where: below,
  },
  {
    name: 'weak references',
    pattern: /\bnew\s+(?:WeakRef|FinalizationRegistry)\b/g,
    remedy: 'garbage collection is up to the host: keep a Map and delete from it',
    where: below,
  },
  {
    name: 'the host',
    pattern:
      /(?<![.\w])process\s*\.\s*(?:env|argv|hrtime|exit|stdout|stderr|cwd|memoryUsage|uptime|pid|platform|on)\b|(?<![.\w])Buffer\s*\.|(?<![.\w])(?:(?:window|navigator|localStorage)\s*\.|document\s*\.\s*(?:create|query|getElement|body\b|cookie\b|addEventListener))/g,
    remedy: 'it must run in a browser and in node alike: let a surface pass the value in',
    where: below,
  },
  {
    name: 'a function assigned to a member',
    pattern:
      /(?<=(?:^|[;{}(,]|=>)\s*)[A-Za-z_$][\w$]*(?:!?\??\.\s*\w+|\[[^\]\n]*\])+\s*(?:\?\?|\|\||&&)?=\s*(?:async\s+)?(?:function\b|\w+\s*=>|\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?::[^=;{]+)?=>)/gm,
    remedy:
      'V8 makes it in the old generation, where it keeps all that it sees: name the function first, or assign an object that holds it',
    where: below,
  },
  { name: 'console', pattern: /(?<![.\w])console\s*\./g, remedy: 'what happened goes into the trace; surfaces print', where: below },
  { name: 'eval', pattern: /(?<![.\w])eval\s*\(|\bnew\s+Function\b/g, remedy: 'pages forbid it: write a closure' },
  {
    name: 'texts compared by hand',
    pattern: /(?<![\w.])([\w.]+) < ([\w.]+) \? -1 : (?:1\b|\1 > \2 \? 1 : 0\b)/g,
    remedy: 'there is one order of texts: compareText of schema/values',
  },
  { name: 'as any', pattern: /\bas\s+any\b|<any>/g, remedy: 'say what it is, or take unknown and narrow it' },
  {
    name: 'VirtualTimeScheduler',
    pattern: /\bVirtualTimeScheduler\b/g,
    remedy: 'it sorts all events anew for each one (0.5 ms at 50,000): schedule on the kernel',
  },
  {
    name: 'immer over the tree',
    pattern: /\benableMapSet\b|\bproduce\s*\(\s*(?:store|world|state|objects|cluster)\b/g,
    remedy: 'immer drafts one object (2 µs); the store is a Map of frozen objects (a draft of it costs 56 ms)',
  },
];

/** Packages that have their own remedy when they are imported below the surfaces. */
export const PACKAGE_REMEDIES: Readonly<Record<string, string>> = {
  pino: 'what happened goes into the trace; surfaces log',
  commander: 'only the command line reads arguments',
  picocolors: 'the lab says what, surfaces say it in colour',
};

/** rxjs operators and sources that wait by the host's clock. */
export const RXJS_TIMERS: ReadonlySet<string> = new Set([
  'asyncScheduler',
  'asapScheduler',
  'animationFrameScheduler',
  'queueScheduler',
  'timer',
  'interval',
  'delay',
  'delayWhen',
  'debounceTime',
  'throttleTime',
  'auditTime',
  'sampleTime',
  'bufferTime',
  'windowTime',
  'timeout',
  'observeOn',
  'subscribeOn',
]);

export interface Exemption {
  readonly file: string;
  readonly ban: string;
  readonly reason: string;
}

/** Places where a ban does not hold. One that is no longer needed must leave the list. */
export const EXEMPTIONS: readonly Exemption[] = [
  { file: 'src/schema/values/texts.ts', ban: 'texts compared by hand', reason: 'compareText is written here' },
  { file: 'src/schema/values/quantity.ts', ban: 'texts compared by hand', reason: 'it compares bigints' },
];

/**
 * How often a file may take a value for what its type says it cannot be (`as unknown as`), and why. The numbers are exact: they can only
 * shrink.
 */
export interface Cast {
  readonly count: number;
  readonly reason: string;
}

export const CASTS: Readonly<Record<string, Cast>> = {
  'src/apiserver/kinds/node/rules.ts': { count: 1, reason: 'a field is read by a name that was just judged' },
  'src/apiserver/handlers/watch.ts': { count: 1, reason: 'a bookmark is an object with nothing but a version' },
  'src/controlplane/config/agent.ts': { count: 1, reason: 'a configuration file becomes a configuration' },
  'src/controlplane/config/scheduler.ts': { count: 1, reason: 'a configuration file becomes a configuration' },
  'src/schema/cel/budget.ts': { count: 1, reason: 'the library says nothing of what its macros are made of' },
  'src/lab/trace/json.ts': { count: 2, reason: 'a line of a saved trace becomes an entry, or the head' },
};
