/** All commands, in the order of the help text. A command is a file and a line here. */
import type { CommandEntry } from '../command.ts';

const listing = (name: 'controllers' | 'faults' | 'invariants' | 'rules') => async () => ({
  command: (await import('./listings.ts'))[name],
});

export const commands: readonly CommandEntry[] = [
  { name: 'run', takes: 'PATH…', summary: 'runs scenario files or folders, and reports the results', load: () => import('./run.ts') },
  {
    name: 'list',
    takes: '[PATH…]',
    summary: 'lists scenarios: titles, seeds, what they teach, how much they expect',
    load: () => import('./list.ts'),
  },
  { name: 'walk', takes: 'PATH', summary: 'steps through a scenario: next, back, why, state, diff, fork', load: () => import('./walk.ts') },
  {
    name: 'why',
    takes: 'TARGET PATH',
    summary: 'explains the last write of an object and its causes; `why not`: what the object waits for',
    load: () => import('./why.ts'),
  },
  {
    name: 'diff',
    takes: 'TARGET PATH | RUN RUN',
    summary: 'shows the changes of an object between two moments, or where two runs differ first, and why',
    load: () => import('./diff.ts'),
  },
  { name: 'state', takes: '[TARGET] PATH', summary: 'shows the objects at a moment', load: () => import('./state.ts') },
  {
    name: 'page',
    takes: 'PATH',
    summary: 'writes a scenario as one HTML file that runs it: stage, timeline, why',
    plugins: false,
    without:
      'a page runs scenarios in the browser, with the engine alone and without modules of your own; orchsim run PATH --with FILE --page OUT writes a page of the run instead',
    load: () => import('./page.ts'),
  },
  {
    name: 'play',
    takes: '[PATH]',
    summary: 'opens a page in the browser: all shipped scenarios, one of yours, or --from the dump of a cluster',
    plugins: false,
    without:
      'the playground runs scenarios in the browser, with the engine alone and without modules of your own; orchsim run PATH --with FILE --page OUT writes a page of a run of yours',
    load: () => import('./play.ts'),
  },
  {
    name: 'search',
    takes: 'PATH',
    summary: 'searches for faults that break a scenario: crashes, lost responses, watch delays',
    load: () => import('./search.ts'),
  },
  {
    name: 'check-determinism',
    takes: 'PATH…',
    summary: 'runs the same seed three times, once in a fresh process, and names the first difference',
    load: () => import('./check-determinism.ts'),
  },
  {
    name: 'serve',
    takes: '[PATH]',
    summary: 'serves a cluster over HTTP for kubectl and API clients; POST /sim/v1/advance advances its time',
    load: () => import('./serve.ts'),
  },
  {
    name: 'drive',
    takes: 'PATH -- COMMAND…',
    summary: 'runs a scenario with programs of yours as its operators: under faults, in virtual time, with a verdict',
    load: () => import('./drive.ts'),
  },
  {
    name: 'what-if',
    takes: 'DUMP QUESTION…',
    summary: 'asks a question of a cluster from its dump: drain a node, lose a zone, scale, apply, delete, upgrade',
    load: () => import('./what-if.ts'),
  },
  {
    name: 'rehearse',
    takes: 'OLD NEW',
    summary: 'rehearses a release by its manifests: installs, rolls, drains each node, rolls back; budgets and claims are kept',
    load: () => import('./rehearse.ts'),
  },
  {
    name: 'import',
    takes: 'LOG…',
    summary: 'replays the audit log or a recorded watch of a real cluster, and says where the run and the log part',
    load: () => import('./import.ts'),
  },
  {
    name: 'config',
    takes: 'PROCESS [FLAGS…]',
    summary: 'shows the effective configuration of a process, and the source of each value',
    plugins: false,
    load: () => import('./config.ts'),
  },
  {
    name: 'schema',
    takes: '[scenario|KIND]',
    summary: 'prints the JSON Schema of scenario files or of a kind; --reference documents the format, --install configures editors',
    load: () => import('./schema.ts'),
  },
  { name: 'kinds', takes: '[KIND]', summary: 'lists the kinds of objects', load: () => import('./kinds.ts') },
  { name: 'controllers', takes: '', summary: 'lists the controllers, and what of upstream each models', load: listing('controllers') },
  { name: 'rules', takes: '', summary: 'lists where the specification differs from v1.24, and which is followed', load: listing('rules') },
  { name: 'faults', takes: '', summary: 'lists the faults that a scenario can inject', load: listing('faults') },
  { name: 'invariants', takes: '', summary: 'lists the invariants that every run is checked against', load: listing('invariants') },
  {
    name: 'init',
    takes: '[DIR]',
    summary: 'creates a small project: a scenario, a controller with a test, a kind',
    plugins: false,
    load: () => import('./init.ts'),
  },
  {
    name: 'help',
    takes: '[TOPIC|COMMAND]',
    summary: 'shows a topic of the guide: scenarios, faults, lessons, controllers …',
    load: () => import('./help.ts'),
  },
  {
    name: 'completion',
    takes: 'bash|zsh|fish',
    summary: 'prints a script with which a shell completes commands, options, files and names',
    plugins: false,
    load: () => import('./completion.ts'),
  },
];
