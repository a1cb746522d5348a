/** All commands, in the order of the help text. A command is a file and a line. */
import type { CommandEntry } from '../command.ts';

export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    takes: 'PATH…',
    summary: 'runs scenario files or folders and tells what happened',
    load: async () => (await import('./run.ts')).run,
  },
  {
    name: 'walk',
    takes: 'PATH',
    summary: 'steps through a scenario: next, back, why, state, diff, fork',
    load: async () => (await import('./walk.ts')).walk,
  },
  {
    name: 'why',
    takes: 'TARGET PATH',
    summary: 'which write made an object what it is, why, and what led to it; `why not`: what it waits for',
    load: async () => (await import('./why.ts')).why,
  },
  {
    name: 'diff',
    takes: 'TARGET PATH',
    summary: 'what changed in an object between two moments',
    load: async () => (await import('./diff.ts')).diff,
  },
  {
    name: 'state',
    takes: '[TARGET] PATH',
    summary: 'the objects there are at a moment',
    load: async () => (await import('./state.ts')).state,
  },
  {
    name: 'page',
    takes: 'PATH',
    summary: 'writes a scenario as one HTML file that runs it: stage, timeline, why',
    own: false,
    load: async () => (await import('./page.ts')).page,
  },
  {
    name: 'play',
    takes: '',
    summary: 'opens a page with all shipped scenarios in the browser',
    own: false,
    load: async () => (await import('./play.ts')).play,
  },
  {
    name: 'check-determinism',
    takes: 'PATH…',
    summary: 'the same seed three times, once in a fresh process: names the first difference',
    load: async () => (await import('./check-determinism.ts')).determinism,
  },
  {
    name: 'serve',
    takes: '[PATH]',
    summary: 'a cluster over HTTP for kubectl and API clients; its time is moved by POST /sim/v1/advance',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'config',
    takes: 'PROCESS [FLAGS…]',
    summary: 'the effective configuration of a process, and where each value comes from',
    own: false,
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'schema',
    takes: 'scenario|KIND',
    summary: 'JSON Schema of scenario files or of a kind, for editors',
    load: async () => (await import('./schema.ts')).schema,
  },
  { name: 'kinds', takes: '[KIND]', summary: 'the kinds of objects there are', load: async () => (await import('./kinds.ts')).kinds },
  {
    name: 'controllers',
    takes: '',
    summary: 'who decides in a cluster, and what of upstream is modelled',
    load: async () => (await import('./controllers.ts')).controllers,
  },
  {
    name: 'rules',
    takes: '',
    summary: 'where the specification is stricter than v1.24, or other, and what becomes of it',
    load: async () => (await import('./rules.ts')).rules,
  },
  { name: 'faults', takes: '', summary: 'what can go wrong in a scenario', load: async () => (await import('./faults.ts')).faults },
  {
    name: 'invariants',
    takes: '',
    summary: 'the properties that every run is held against',
    load: async () => (await import('./invariants.ts')).invariants,
  },
  {
    name: 'init',
    takes: '[DIR]',
    summary: 'a small project: a scenario, a controller with a test, a kind',
    own: false,
    load: async () => (await import('./init.ts')).init,
  },
];
