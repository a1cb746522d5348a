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
    name: 'list',
    takes: '[PATH…]',
    summary: 'the scenarios there are: titles, seeds, what they teach, how much they expect',
    load: async () => (await import('./list.ts')).list,
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
    takes: 'TARGET PATH | RUN RUN',
    summary: 'what changed in an object between two moments; where two runs part, and why',
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
    without:
      'a page runs scenarios in the browser, with the engine alone and without modules of your own; orchsim run PATH --with FILE --page OUT writes a page of the run instead',
    load: async () => (await import('./page.ts')).page,
  },
  {
    name: 'play',
    takes: '',
    summary: 'opens a page with all shipped scenarios in the browser',
    own: false,
    without:
      'the playground runs scenarios in the browser, with the engine alone and without modules of your own; orchsim run PATH --with FILE --page OUT writes a page of a run of yours',
    load: async () => (await import('./play.ts')).play,
  },
  {
    name: 'search',
    takes: 'PATH',
    summary: 'looks for what may go otherwise until a claim of a scenario breaks: crashes, lost answers, late news',
    load: async () => (await import('./search.ts')).search,
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
    takes: '[scenario|KIND]',
    summary: 'JSON Schema of scenario files or of a kind; --reference tells the format, --install tells editors',
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
  {
    name: 'help',
    takes: '[TOPIC|COMMAND]',
    summary: 'the guide, topic by topic: scenarios, faults, lessons, controllers …',
    load: async () => (await import('./help.ts')).help,
  },
  {
    name: 'completion',
    takes: 'bash|zsh|fish',
    summary: 'a script that teaches your shell to complete commands, options, files and names',
    own: false,
    load: async () => (await import('./completion.ts')).completion,
  },
];
