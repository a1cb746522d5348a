/**
 * The plan of the house: which floors there are, which rooms, and in which order they may lean on each other.
 * A room may import the rooms listed above it on its floor, and every floor listed above its own. To add a room, add a line.
 */

export interface Room {
  /** A folder, or a file with its ending. */
  readonly name: string;
  /** Why it stands where it stands. */
  readonly why: string;
  /** Its folders know nothing of each other; the room that holds what they have in common. */
  readonly apart?: { readonly shared: string };
}

/** A floor may have an `index.ts` of its own: the face it shows to the floors above. */
export interface Floor {
  readonly name: string;
  readonly rooms: readonly Room[];
  /** Packages its rooms may import. */
  readonly packages: readonly string[];
}

export const FLOORS: readonly Floor[] = [
  {
    name: 'engine',
    packages: ['seedrandom'],
    rooms: [
      { name: 'seedrandom-alea.d.ts', why: 'types that a package lacks' },
      { name: 'random.ts', why: 'chance needs nothing but a seed' },
      { name: 'accessors.ts', why: 'what objects are made of by the thousand' },
      { name: 'digest.ts', why: 'a fingerprint needs nothing but what is mixed in' },
      { name: 'fingerprint.ts', why: 'tells data apart, and needs nothing but the data' },
      { name: 'kernel', why: 'time draws from random and feeds the digest' },
    ],
  },
  {
    name: 'grammar',
    packages: ['js-yaml', 'yaml'],
    rooms: [
      { name: 'values', why: 'quantities, names, durations: the grammar of single fields' },
      { name: 'schedule', why: 'cron expressions and time zones: validation and the controller both read them' },
      { name: 'schema', why: 'the shape of objects is made of values' },
      { name: 'yaml', why: 'values with their places in a text, for whoever reads files' },
    ],
  },
  {
    name: 'apiserver',
    packages: ['immer', 'rxjs', '@noble/hashes'],
    rooms: [
      { name: 'vocabulary', why: 'what kinds share, made of schema and values' },
      { name: 'kinds', why: 'all that is particular to a kind, together; a folder a kind' },
      { name: 'custom', why: "kinds of somebody's own, made as ours are" },
      { name: 'request', why: 'what a request is, whose it is, and how it is refused' },
      { name: 'store', why: 'keeps objects, knows no verbs' },
      { name: 'patch', why: 'how objects change; patches follow the merge keys that the schemas name' },
      { name: 'access', why: 'who may: decides from roles that the store holds' },
      { name: 'decisions', why: 'rules over objects of several kinds; the server and the scheduler decide by them' },
      { name: 'admission', why: 'plug-ins that change or refuse a request' },
      { name: 'verbs', why: 'the only door to the store; asks all of the above' },
    ],
  },
  {
    name: 'controlplane',
    packages: ['immer', 'rxjs', '@noble/hashes', 'lru-cache'],
    rooms: [
      { name: 'config', why: 'configuration files are decoded like kinds' },
      { name: 'runtime', why: 'what controllers stand on: watches and writes through requests' },
      { name: 'usage', why: 'what pods use, as functions of time: agents put pods out by it' },
      { name: 'shared', why: 'what controllers, drivers and node agents have in common' },
      { name: 'controllers', why: 'reconcile on the runtime', apart: { shared: 'shared' } },
      { name: 'agents', why: 'the parts outside the controller manager, on the same runtime', apart: { shared: 'shared' } },
      { name: 'control-plane.ts', why: 'controller managers and schedulers, elected or not' },
      { name: 'cluster-options.ts', why: 'what a cluster is told and shows' },
      { name: 'reconfigured.ts', why: 'a process as it would be with another file or other flags' },
      { name: 'cluster.ts', why: 'wires all of it on one kernel' },
    ],
  },
  {
    name: 'lab',
    packages: ['rxjs', '@marcbachmann/cel-js', 're2js', 'fast-check'],
    rooms: [
      { name: 'trace', why: 'what happened; everything else in the lab reads it' },
      { name: 'scenario', why: 'the file format: what shall happen' },
      { name: 'faults', why: 'scenarios name them, simulations inject them' },
      { name: 'livelock', why: 'tells from what happened that a world gets nowhere' },
      { name: 'invariants', why: 'judge a trace' },
      { name: 'definitions', why: 'what somebody adds to the registries above' },
      { name: 'vocabulary.ts', why: 'the names that the registries above know' },
      { name: 'fork', why: 'goes on otherwise from a moment of a run: reads what happened, writes a scenario' },
      { name: 'blockers', why: 'says what an object waits for, from a trace and a look inside' },
      { name: 'choices', why: 'what a run does otherwise at its points, and how it is drawn and replayed' },
      { name: 'bench', why: "somebody's own controllers run on it, and not off it" },
      { name: 'simulation', why: 'runs a scenario with its faults under its invariants' },
      { name: 'order', why: 'what waits at a moment of a run, and what has to wait longer for one of it to go first' },
      { name: 'search', why: 'looks for choices that break a scenario, and shortens what it finds' },
      { name: 'coverage.ts', why: 'what a run has tried of what there is' },
      { name: 'explore', why: 'runs simulations by the thousand' },
    ],
  },
  {
    name: 'surfaces',
    packages: [
      'acorn',
      'esbuild',
      'commander',
      'jsonc-parser',
      'preact',
      '@preact/signals',
      'fzstd',
      'picocolors',
      'picomatch',
      'pino',
      'rxjs',
      'fast-check',
      '@marcbachmann/cel-js',
      '@peculiar/x509',
      'reflect-metadata',
    ],
    rooms: [
      { name: 'plugins', why: "somebody's own definitions, read from their files" },
      { name: 'report', why: 'renders runs as text, JSON and JUnit' },
      { name: 'arguments.ts', why: "the words behind a developers' command" },
      { name: 'matchers.ts', why: 'what tests ask of runs' },
      { name: 'testing', why: 'runs searches inside tests and writes down what they find' },
      { name: 'page', why: 'one HTML file with the engine inside: stage, timeline, why' },
      { name: 'http', why: 'serves a cluster, and its page' },
      { name: 'conformance', why: 'compares runs with recordings' },
      { name: 'cli', why: 'commands reach everything above' },
    ],
  },
];

/** Files that may import an entry point, each with its reason. */
export const LENDERS: Readonly<Record<string, string>> = {
  'src/surfaces/plugins/face.ts': 'what somebody else imports as orchsim is the whole face, and the running one',
};

/** Files that may stay long, each with its reason. One that has become short again must leave the list. */
export const MAY_BE_LONG: Readonly<Record<string, string>> = {};

/** Functions that may stay long, by file and name, each with its reason. One that has become short again must leave the list. */
export const MAY_BE_LONG_FUNCTIONS: Readonly<Record<string, string>> = {};

export const FLOOR_FACE: Room = { name: 'index.ts', why: 'what the floors above see of this one' };

export const LONGEST = 300;
/** Lines from the brace that opens a function to the one that closes it. */
export const LONGEST_FUNCTION = 70;
/** Half of all files under src are at most this long. */
export const MEDIAN = 120;
