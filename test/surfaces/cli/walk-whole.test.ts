/** A small walk, whole: every answer of every command, typed as a script. */
import { expect, it } from 'vitest';
import { cli, folderWith } from './cli.ts';

const WALKED = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: walked }
spec:
  title: A small walk
  teaches: How to walk.
  cluster: { nodes: { count: 0 }, latency: { api: 2ms, watch: 1ms } }
  steps:
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: web }, data: { a: "1" } }
    - at: 1s
      apply: { apiVersion: v1, kind: Namespace, metadata: { name: shop } }
    - at: 2s
      note: |
        A namespace has come.
        It is not empty.
      ask:
        question: What is made in it?
        choices:
          - { say: An account, cel: "objects('ServiceAccount', 'shop').size() == 1", because: A controller makes it. }
          - { say: Nothing, cel: "objects('ServiceAccount', 'shop').size() == 0", because: The controllers do not ask for it. }
      look: { at: ServiceAccount/shop/default, as: controller-manager }
      try: [{ say: The namespace goes., delete: { target: Namespace/shop }, then: { absent: Namespace/shop } }]
    - at: 3s
      patch: { target: ConfigMap/web, type: merge, patch: { data: { a: "2" } } }
    - when: settled
      expect: { match: { kind: ConfigMap, metadata: { name: web }, data: { a: "2" } } }
`;
const HEAD = `A small walk
  How to walk.
  5 stops, 17 steps, seed 1; next continues, help lists the commands
`;
/** Stops, as they are shown. */
const SECOND = `
1.000s  #5 · stop 2 of 5
  apply Namespace/shop
  + Namespace shop
`;
const NOTE = `  │ A namespace has come.
  │ It is not empty.
`;
const MADE = `  + ServiceAccount shop/default
  + ConfigMap shop/orch-root-ca.crt
`;
const HINTS = `  look at ServiceAccount shop/default, as controller-manager sees it
  try 1 The namespace goes.
`;
const RIGHT = `  ✓ a  An account
       A controller makes it.
`;
const THIRD = `
2.000s  #14 · stop 3 of 5
${RIGHT}${NOTE}${MADE}${HINTS}`;
const FOURTH = `
3.000s  #16 · stop 4 of 5
  patch ConfigMap/web
  ~ ConfigMap web: data.a 1 → 2
`;
const END = `
3.001s  #17 · stop 5 of 5
  settled; check ConfigMap/web
  nothing changed
  everything held
`;
const NEXT = '  next, step and why walk the fork; save writes it as a scenario file; unfork returns\n';
const LATER = `  1 expectation about the settled state is checked here too; left out: 1 later step
  from here on:
${MADE}  ~ ConfigMap web: data.a 1 → 2
${NEXT}`;

/** A prompt, the command, its answer. */
type Turn = readonly [prompt: string, command: string, answer: string];

/** Walks by the commands of the turns; expects their answers. */
async function walks(turns: readonly Turn[], code: number, files: Readonly<Record<string, string>> = {}): Promise<void> {
  const cwd = folderWith({ 'a.yaml': WALKED, ...files });
  const given = await cli(['walk', 'a.yaml', '--script', turns.map(([, command]) => command).join('; ')], { cwd });
  const shown = turns.map(([prompt, command, answer]) => `\n${prompt}> ${command}\n${answer}`);
  expect(given).toEqual({ code, out: HEAD + shown.join(''), err: '' });
}

it('goes from stop to stop, asks a question, and explains what happened', async () => {
  await walks(
    [
      ['0.000s #0', 'next', '\n0.000s  #2 · stop 1 of 5\n  apply ConfigMap/web\n  + ConfigMap web\n'],
      ['0.000s #2', 'next', SECOND],
      [
        '1.000s #5',
        'why',
        `Namespace shop at 1.000s (step #5)
   1.000s  #5     user               shop               create Namespace  rv 15

  1 cause, the latest first:
   1.000s  #4     scenario                              apply Namespace/shop
`,
      ],
      ['1.000s #5', 'diff', '  + Namespace shop\n'],
      ['1.000s #5', 'next', '\n  ? What is made in it?\n    a  An account\n    b  Nothing\n  a or b answers; next skips the question\n'],
      ['1.000s #5', 'c', '  answer: expected one of a, b, found "c"\n'],
      [
        '1.000s #5',
        'b',
        `\n2.000s  #14 · stop 3 of 5\n  ✗ b  Nothing\n       The controllers do not ask for it.\n${RIGHT}${NOTE}${MADE}${HINTS}`,
      ],
      ['2.000s #14', 'next', FOURTH],
      [
        '3.000s #16',
        'why',
        `ConfigMap web at 3.000s (step #16)
   3.000s  #16    user               web                update ConfigMap: data.a 1 → 2  rv 18

  1 cause, the latest first:
   3.000s  #15    scenario                              patch ConfigMap/web
`,
      ],
      ['3.000s #16', 'state as scheduler', 'namespaces\nNAME   STATUS   AGE\nshop   Active   2s\n'],
      ['3.000s #16', 'diff', '  ~ ConfigMap web: data.a 1 → 2\n'],
      ['3.000s #16', 'step 2', '  this is the end\n'],
      ['3.000s #16', 'step -1', '   3.000s  #15    scenario                              patch ConfigMap/web\n'],
      ['3.000s #15', 'step 0', '  step: expected a count such as 1 or -3\n'],
      [
        '3.000s #15',
        'goto #14',
        `\n2.000s  #14 · stop 3 of 5\n  ✗ b  Nothing\n       The controllers do not ask for it.\n${RIGHT}${NOTE}${MADE}${HINTS}`,
      ],
      [
        '2.000s #14',
        'timeline',
        `   1.002s  #10    service-account    shop               create ServiceAccount shop/default  rv 16   every namespace has a default ServiceAccount
   1.002s  #11    root-certificate   shop               create ConfigMap shop/orch-root-ca.crt  rv 17   every namespace has the ConfigMap of the root certificate
   2.000s  #14    note                                  A namespace has come.
`,
      ],
      ['2.000s #14', 'goto end', END],
      ['3.001s #17', 'next', '  this is the end; back goes back, fork asks what if\n'],
      ['3.001s #17', 'back', FOURTH],
    ],
    2,
  );
});

const wrong = (command: string, said: string): Turn => ['1.000s #5', command, `  ${said}\n`];
const forked = (at: string, what: string, ends: string, after: string): string =>
  `\nwhat if, at ${at}: ${what}\n  it ends at ${ends} instead of 3.001s, everything held\n${after}`;

it('puts pending events first, or later', async () => {
  const sees = (process: string): string => `${process} sees Namespace shop, revision 15`;
  const hint = '  fork first 2 lets number 2 go first\n  fork later 1 10s holds number 1\n';
  await walks(
    [
      ['0.000s #0', 'goto 1s', SECOND],
      ['1.000s #5', 'waiting', `  1  +1ms  ${sees('controller-manager')}\n  2  +1ms  ${sees('scheduler')}\n${hint}`],
      wrong('fork first 1', `fork first: ${sees('controller-manager')} goes first by itself`),
      ['1.000s #5', 'fork first 2', forked('1.000s', `${sees('scheduler')} first`, '3.001s', LATER)],
      ['fork 1.000s #5', 'unfork', SECOND],
      ['1.000s #5', 'fork later 1 3s', forked('1.000s', `${sees('controller-manager')} 3s later`, '4.003s', LATER)],
      ['fork 1.000s #5', 'diff', '  + Namespace shop\n'],
      ['fork 1.000s #5', 'save', '  written to walked-fork-2.yaml; npx orchsim run walked-fork-2.yaml replays it\n'],
      ['fork 1.000s #5', 'unfork', SECOND],
      ['1.000s #5', 'fork later 2', forked('1.000s', `${sees('scheduler')} 5s later`, '6.001s', LATER)],
      ['fork 1.000s #5', 'unfork', SECOND],
      wrong('fork first 9', 'fork first: expected a number from 1 to 2, as waiting lists them, found "9"'),
      wrong('fork first x', 'fork first: expected a number from 1 to 2, as waiting lists them, found "x"'),
      wrong('fork later 1x', 'fork later: expected a number from 1 to 2, as waiting lists them, found "1x"'),
      wrong('fork later 1 0s', 'fork later: expected a duration such as 10s, found "0s"'),
      wrong('fork later 1 1s 2', 'fork later: takes NUMBER [5s], found "2"'),
      wrong('fork first 1 2', 'fork first: takes NUMBER, found "2"'),
      wrong('unfork', 'unfork: this is not a fork'),
      ['1.000s #5', 'goto 1001ms', '\n1.001s  #9 · between stops\n  nothing changed\n'],
      [
        '1.001s #9',
        'waiting',
        `  1  +1ms  service-account writes for shop: create ServiceAccount\n  2  +1ms  root-certificate writes for shop: create ConfigMap\n${hint}`,
      ],
      ['1.001s #9', 'goto end', END],
      ['3.001s #17', 'waiting', '  nothing is pending but renewals of leases\n'],
      ['3.001s #17', 'fork first 1', '  fork first: nothing is pending here but renewals of leases\n'],
    ],
    2,
  );
});

const left = (...changes: readonly string[]): string =>
  `  left out: 2 later steps\n  from here on:\n${changes.map((each) => `  ${each}\n`).join('')}${NEXT}`;

it('forks with a step, with what a stop offers, and saves the fork', async () => {
  const ages = ['default         ', 'orch-node-lease ', 'orch-public     ', 'orch-system     ']
    .map((name) => `${name}  orch-root-ca.crt   1      52s\n`)
    .join('');
  await walks(
    [
      ['0.000s #0', 'goto 2s', THIRD],
      ['2.000s #14', 'fork delete ConfigMap/web', forked('2.000s', 'delete ConfigMap/web', '2.001s', left('- ConfigMap web'))],
      [
        'fork 2.000s #14',
        'state ConfigMap',
        `configmaps\nNAMESPACE         NAME               DATA   AGE\n${ages}default           web                1      2s\nshop              orch-root-ca.crt   1      1s\n`,
      ],
      ['fork 2.000s #14', 'save my.yaml', '  written to my.yaml; npx orchsim run my.yaml replays it\n'],
      ['fork 2.000s #14', 'save my.yaml', '  written to my.yaml; npx orchsim run my.yaml replays it\n'],
      ['fork 2.000s #14', 'save mine.yaml', '  save: mine.yaml exists and has other contents; save FILE writes another file\n'],
      ['fork 2.000s #14', 'unfork', THIRD],
      ['2.000s #14', 'save', '  save: this is not a fork; the scenario has its file already\n'],
      ...['ConfigMap/*/web', '{ kind: ConfigMap, cel: "self.metadata.name == \'web\'" }'].flatMap((target) => {
        const typed = `delete: { target: ${target} }`;
        return [
          ['2.000s #14', `fork ${typed}`, forked('2.000s', typed, '2.001s', left('- ConfigMap web'))],
          ['fork 2.000s #14', 'unfork', THIRD],
        ] as const;
      }),
      ['2.000s #14', 'fork delete ConfigMap/wbe', '  there never was a ConfigMap default/wbe; did you mean ConfigMap/web?\n'],
      ['2.000s #14', 'goto 1500ms', `\n1.500s  #13 · between stops\n${MADE}`],
      ['1.500s #13', 'try', '  try: nothing is offered here; fork STEP tries something of your own\n'],
      ['1.500s #13', 'goto 2s', THIRD],
      [
        '2.000s #14',
        'try',
        forked(
          '2.000s',
          'The namespace goes.',
          '7.117s',
          left('- Namespace shop', '- ConfigMap shop/orch-root-ca.crt', '- ServiceAccount shop/default'),
        ),
      ],
      ['fork 2.000s #14', 'unfork', THIRD],
      ['2.000s #14', 'try 2', '  try: expected a number from 1 to 1, found "2"\n'],
      [
        '2.000s #14',
        'fork fault crash controller-manager',
        forked('2.000s', 'fault crash controller-manager', '2.000s', left('nothing changed')),
      ],
      ['fork 2.000s #14', 'next', '\n2.000s  #17 · stop 4 of 4\n  fault crash controller-manager\n  nothing changed\n  everything held\n'],
      ['fork 2.000s #17', 'back', `\n2.000s  #14 · stop 3 of 4\n${NOTE}${MADE}`],
    ],
    2,
    { 'mine.yaml': 'mine' },
  );
});
