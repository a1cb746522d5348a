/** All commands, in the order of the help text. A command is a file and a line here. */
import type { CommandEntry } from '../command.ts';

export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    takes: 'PATH…',
    summary: 'runs scenario files or folders, and reports the results',
    load: async () => (await import('./run.ts')).run,
  },
  {
    name: 'list',
    takes: '[PATH…]',
    summary: 'lists scenarios: titles, seeds, what they teach, how much they expect',
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
    summary: 'explains the last write of an object and its causes; `why not`: what the object waits for',
    load: async () => (await import('./why.ts')).why,
  },
  {
    name: 'diff',
    takes: 'TARGET PATH | RUN RUN',
    summary: 'shows the changes of an object between two moments, or where two runs differ first, and why',
    load: async () => (await import('./diff.ts')).diff,
  },
  {
    name: 'state',
    takes: '[TARGET] PATH',
    summary: 'shows the objects at a moment',
    load: async () => (await import('./state.ts')).state,
  },
  {
    name: 'page',
    takes: 'PATH',
    summary: 'writes a scenario as one HTML file that runs it: stage, timeline, why',
    plugins: false,
    without:
      'a page runs scenarios in the browser, with the engine alone and without modules of your own; orchsim run PATH --with FILE --page OUT writes a page of the run instead',
    load: async () => (await import('./page.ts')).page,
  },
  {
    name: 'play',
    takes: '',
    summary: 'opens a page with all shipped scenarios in the browser',
    plugins: false,
    without:
      'the playground runs scenarios in the browser, with the engine alone and without modules of your own; orchsim run PATH --with FILE --page OUT writes a page of a run of yours',
    load: async () => (await import('./play.ts')).play,
  },
  {
    name: 'search',
    takes: 'PATH',
    summary: 'searches for faults that break a scenario: crashes, lost responses, watch delays',
    load: async () => (await import('./search.ts')).search,
  },
  {
    name: 'check-determinism',
    takes: 'PATH…',
    summary: 'runs the same seed three times, once in a fresh process, and names the first difference',
    load: async () => (await import('./check-determinism.ts')).determinism,
  },
  {
    name: 'serve',
    takes: '[PATH]',
    summary: 'serves a cluster over HTTP for kubectl and API clients; POST /sim/v1/advance advances its time',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'config',
    takes: 'PROCESS [FLAGS…]',
    summary: 'shows the effective configuration of a process, and the source of each value',
    plugins: false,
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'schema',
    takes: '[scenario|KIND]',
    summary: 'prints the JSON Schema of scenario files or of a kind; --reference documents the format, --install configures editors',
    load: async () => (await import('./schema.ts')).schema,
  },
  { name: 'kinds', takes: '[KIND]', summary: 'lists the kinds of objects', load: async () => (await import('./kinds.ts')).kinds },
  {
    name: 'controllers',
    takes: '',
    summary: 'lists the controllers, and what of upstream each models',
    load: async () => (await import('./listings.ts')).controllers,
  },
  {
    name: 'rules',
    takes: '',
    summary: 'lists where the specification differs from v1.24, and which is followed',
    load: async () => (await import('./listings.ts')).rules,
  },
  {
    name: 'faults',
    takes: '',
    summary: 'lists the faults that a scenario can inject',
    load: async () => (await import('./listings.ts')).faults,
  },
  {
    name: 'invariants',
    takes: '',
    summary: 'lists the invariants that every run is checked against',
    load: async () => (await import('./listings.ts')).invariants,
  },
  {
    name: 'init',
    takes: '[DIR]',
    summary: 'creates a small project: a scenario, a controller with a test, a kind',
    plugins: false,
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'help',
    takes: '[TOPIC|COMMAND]',
    summary: 'shows a topic of the guide: scenarios, faults, lessons, controllers …',
    load: async () => (await import('./help.ts')).help,
  },
  {
    name: 'completion',
    takes: 'bash|zsh|fish',
    summary: 'prints a script with which a shell completes commands, options, files and names',
    plugins: false,
    load: async () => (await import('./completion.ts')).completion,
  },
];
