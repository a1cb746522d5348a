/**
 * The layers and modules of the source, in the order of their dependencies.
 * A module may import the modules listed above it in its layer, and every layer listed above its own. To add a module, add a line.
 */

export interface Module {
  /** A folder, or a file with its ending. */
  readonly name: string;
  /** Why it stands where it stands. */
  readonly why: string;
  /** Its folders know nothing of each other; the module that holds what they have in common. */
  readonly apart?: { readonly shared: string };
}

/** A layer may have an `index.ts` of its own: the face it shows to the layers above. */
export interface Layer {
  readonly name: string;
  readonly modules: readonly Module[];
  /** Packages its modules may import. */
  readonly packages: readonly string[];
}

export const LAYERS: readonly Layer[] = [
  {
    name: 'engine',
    packages: ['seedrandom'],
    modules: [
      { name: 'seedrandom-alea.d.ts', why: 'types that the package lacks' },
      { name: 'accessors.ts', why: 'compiled accessors for objects that exist in large numbers' },
      { name: 'error.ts', why: 'the error class of the library, with its codes' },
      { name: 'memo.ts', why: 'memories, which hold no state' },
      { name: 'list-span.ts', why: 'where a list differs from its former revision' },
      { name: 'undo', why: 'the undo log of a world, for the build with a write barrier' },
      { name: 'random-stream.ts', why: 'one stream of random numbers, which notes itself in the undo log' },
      { name: 'random.ts', why: 'the random streams of a run, by name' },
      { name: 'digest.ts', why: 'the digest of a run depends only on what is mixed in' },
      { name: 'fingerprint.ts', why: 'fingerprints of plain data' },
      { name: 'kernel', why: 'virtual time and the event queue; draws from random, feeds the digest' },
    ],
  },
  {
    name: 'schema',
    packages: ['yaml', '@marcbachmann/cel-js', 're2js'],
    modules: [
      { name: 'values', why: 'quantities, names, durations: the syntax of single fields' },
      { name: 'schedule', why: 'cron expressions and time zones, for validation and the controller' },
      { name: 'shape', why: 'schemas of objects, composed of values' },
      { name: 'yaml', why: 'YAML values with their positions, for readers of files' },
      {
        name: 'cel',
        why: 'the budget of CEL expressions and the functions of upstream, for rules of custom resources and conditions of scenarios',
      },
    ],
  },
  {
    name: 'apiserver',
    packages: ['immer', 're2js', 'rxjs', '@noble/hashes', '@marcbachmann/cel-js'],
    modules: [
      { name: 'objects', why: 'what every object has: metadata, names of the domain, gates, errors' },
      { name: 'structs', why: 'schemas that kinds share: metadata, pod templates, volumes' },
      { name: 'validation', why: 'what is valid of fields and shared structs, in words of upstream' },
      { name: 'machinery', why: 'the contract of a kind: its definition, drafts, hooks, columns' },
      { name: 'structural', why: 'structural schemas of custom resources, and what is valid by them' },
      { name: 'kinds', why: 'one file for each kind, with everything particular to it' },
      { name: 'custom', why: "kinds from a user's definition of a custom resource" },
      { name: 'request', why: 'requests, their users, and errors' },
      { name: 'store', why: 'keeps objects and revisions; knows no requests' },
      { name: 'served', why: 'the kinds of a world, with those that are defined in its store' },
      { name: 'patch', why: 'patches, by the merge keys of the schemas; field management' },
      { name: 'access', why: 'authorization by the roles in the store' },
      { name: 'decisions', why: 'rules over objects of several kinds, for the server and the scheduler' },
      { name: 'admission', why: 'admission plug-ins: change or refuse a request' },
      { name: 'write', why: 'the one write path: a plan of stages for each kind and verb' },
      { name: 'handlers', why: 'the only access to the store: requests, through all of the above' },
    ],
  },
  {
    name: 'controlplane',
    packages: ['immer', 'rxjs', '@noble/hashes'],
    modules: [
      { name: 'config', why: 'process configuration, decoded with the schemas of kinds' },
      { name: 'runtime', why: 'what controllers run on: watches, caches, work queues, writes' },
      { name: 'usage', why: 'resource usage of pods as functions of time, for eviction and autoscaling' },
      { name: 'shared', why: 'what controllers, drivers and node agents share' },
      { name: 'controllers', why: 'one folder for each controller', apart: { shared: 'shared' } },
      { name: 'agents', why: 'node agents, the scheduler and storage drivers', apart: { shared: 'shared' } },
      { name: 'control-plane.ts', why: 'controller managers and schedulers, with or without leader election' },
      { name: 'restored.ts', why: 'a cluster that begins with the objects of another one' },
      { name: 'cluster-options.ts', why: 'the options and the observations of a cluster' },
      { name: 'cluster.ts', why: 'connects all of it on one kernel' },
    ],
  },
  {
    name: 'lab',
    packages: ['rxjs', '@marcbachmann/cel-js', 're2js', 'fast-check'],
    modules: [
      { name: 'trace', why: 'the record of a run; everything below in this list reads it' },
      { name: 'snapshot', why: 'reads the dump of a cluster; a scenario may begin with one' },
      { name: 'scenario', why: 'the format of scenario files, checked and compiled' },
      { name: 'faults', why: 'faults that a scenario names or a search injects' },
      { name: 'livelock', why: 'livelock detection, from a trace' },
      { name: 'invariants', why: 'one file for each group of invariants' },
      { name: 'definitions', why: "a user's additions to the registries above" },
      { name: 'vocabulary.ts', why: 'the names in the registries above' },
      { name: 'fork', why: 'forks a run at a moment: reads a trace, writes a scenario' },
      { name: 'blockers', why: 'diagnoses what an object waits for' },
      { name: 'choices', why: 'choice points of a run: how faults are drawn and replayed' },
      { name: 'sandbox', why: "the sandbox of a user's controllers" },
      { name: 'simulation', why: 'runs a scenario with its faults, and checks its invariants' },
      { name: 'what-if', why: 'what a question to a cluster from a dump changes' },
      { name: 'rehearsal', why: 'a release is installed, rolled, drained and rolled back' },
      { name: 'incident', why: 'the audit log of a run, and that of a real cluster as a scenario' },
      { name: 'moments', why: 'runs that can go back to any of their moments' },
      { name: 'order', why: 'pending events at a moment, and what to delay for one to go first' },
      { name: 'search', why: 'searches for faults that break a scenario, and shrinks what it finds' },
      { name: 'coverage.ts', why: 'coverage of the registries by runs' },
      { name: 'explore', why: 'generated scenarios, by the thousand' },
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
      '@codemirror/autocomplete',
      '@codemirror/commands',
      '@codemirror/lang-yaml',
      '@codemirror/language',
      '@codemirror/lint',
      '@codemirror/search',
      '@codemirror/state',
      '@codemirror/view',
      '@lezer/highlight',
      'picocolors',
      'picomatch',
      'pino',
      'rxjs',
      'fast-check',
      '@marcbachmann/cel-js',
      '@peculiar/x509',
      'reflect-metadata',
    ],
    modules: [
      { name: 'guide', why: 'the texts of src/guide' },
      { name: 'plugins', why: "loads a user's definitions from files" },
      { name: 'report', why: 'reports of runs as text, JSON and JUnit' },
      { name: 'whole-file.ts', why: 'files that are written whole or not at all' },
      { name: 'matchers.ts', why: 'matchers for tests' },
      { name: 'api', why: 'the public functions, with their arguments checked' },
      { name: 'testing', why: 'searches inside tests, and files of their findings' },
      { name: 'page', why: 'one HTML file with the engine inside: stage, timeline, why' },
      { name: 'http', why: 'the HTTP server of a cluster and of its page' },
      { name: 'drive', why: "the user's programs as clients of a simulated cluster" },
      { name: 'cli', why: 'the commands' },
    ],
  },
];

/** Files that may import an entry point, each with its reason. */
export const LENDERS: Readonly<Record<string, string>> = {
  'src/surfaces/plugins/face.ts': 'a plugin that imports orchsim gets the whole public API of the running instance',
};

/** Files that may stay long, each with its reason. One that has become short again must leave the list. */
export const MAY_BE_LONG: Readonly<Record<string, string>> = {
  'src/apiserver/kinds/endpoint-slice.ts': 'one kind, read top-down',
  'src/apiserver/structs/volumes.ts': 'the declaration of 29 sources of volumes',
};

/** Functions that may stay long, by file and name, each with its reason. One that has become short again must leave the list. */
export const MAY_BE_LONG_FUNCTIONS: Readonly<Record<string, string>> = {};

export const LAYER_FACE: Module = { name: 'index.ts', why: 'what the layers above see of this one' };

export const LONGEST = 300;
/** Lines from the brace that opens a function to the one that closes it. */
export const LONGEST_FUNCTION = 70;
/** Half of all files under src are at most this long. */
export const MEDIAN = 120;
