/** Searches that try everything: every order within instants, or every single fault. Their results, whole, as text and as JSON. */
import { describe, expect, it } from 'vitest';
import { cli, folderWith } from './cli.ts';
import { QUIET } from './searched.ts';

/** A scenario with an invariant about what two controllers do in a new namespace. */
const shop = (name: string, invariant: string): string =>
  QUIET.replace('name: quiet', `name: ${name}`).replace(
    'steps:',
    `invariants: [${invariant}]
  steps:
    - at: 500ms
      apply: { apiVersion: v1, kind: Namespace, metadata: { name: shop } }`,
  );
const FILES = {
  'quiet.yaml': QUIET,
  'given.yaml': QUIET.replace(', latency: { api: 2ms, watch: 1ms }', ''),
  'late.yaml': shop(
    'late',
    `{ name: account-soon, foreach: Namespace, eventually: "objects('ServiceAccount', self.metadata.name).size() > 0", within: 900ms }`,
  ),
  'order.yaml': shop(
    'order',
    `{ name: account-first, foreach: ConfigMap, always: "self.metadata.namespace != 'shop' || objects('ServiceAccount', 'shop').size() > 0" }`,
  ),
};
const search = (...words: readonly string[]) => cli(['search', ...words, '--jobs', '1'], { cwd: folderWith(FILES) });

const ORDER_STORY = [
  "wanted  self.metadata.namespace != 'shop' || objects('ServiceAccount', 'shop').size() > 0 (account-first, always)",
  'world   the first "create ServiceAccount" of service-account about shop: reaches the server 1ms late',
  'saw     at 0.501s root-certificate decided about shop, and its cache was up to date',
  'did     it wrote create ConfigMap shop/orch-root-ca.crt, because "every namespace has the ConfigMap of the root certificate"',
  'broke   account-first at 0.502s: ConfigMap shop/orch-root-ca.crt: it does not hold',
  '  self.metadata.namespace != "shop": self.metadata.namespace is "shop"',
  '  objects("ServiceAccount", "shop").size() > 0: objects("ServiceAccount", "shop").size() is 0',
  '- write controller-manager service-account shop: create ServiceAccount #1: reaches the server 1ms late',
];
const LATE_STORY = [
  "wanted  objects('ServiceAccount', self.metadata.name).size() > 0 (account-soon, eventually)",
  'world   the first change of Namespace shop that controller-manager sees: comes 1s late',
  'saw     at 1.501s service-account decided about shop, 1s later than without the faults',
  'did     it wrote create ServiceAccount shop/default, because "every namespace has a default ServiceAccount"',
  'broke   account-soon at 1.000s: Namespace shop: it has not become true in time',
  '  objects("ServiceAccount", self.metadata.name).size() > 0: objects("ServiceAccount", self.metadata.name).size() is 0',
  '- see controller-manager Namespace shop #1: comes 1s late',
];
const finding = (claim: string, by: string, story: readonly string[], file: string, ...seen: readonly string[]): string =>
  [
    '',
    `  1  ${claim}  by a decision of ${by} (built in, controller-manager)`,
    ...[...story, ...seen].map((line) => `     ${line}`),
    `     see it again: npx orchsim run ${file}.yaml -v`,
    `     on a page, opened where it breaks: npx orchsim run ${file}.yaml --page ${file}.html`,
    '\n',
  ].join('\n');
const INDEPENDENT = 'independent events were tried in one order only';

describe('every order within instants', () => {
  it('holds', async () => {
    expect(await search('quiet.yaml', '--exhaustive')).toEqual({
      code: 0,
      out: `✓ quiet: it holds in every order within its instants  1 run · 0 states\n\n  complete: up to 0 branchings in one run, 1 final state; ${INDEPENDENT}\n`,
      err: '',
    });
    expect((await search('given.yaml', '--exhaustive')).out).toContain(
      '\n  the scenario gives no latencies, so these apply: 2 ms for a request, 1 ms for a watch event\n',
    );
  });

  it('is tried, and one that breaks something is reproduced by a delay', async () => {
    const found = finding('account-first', 'root-certificate', ORDER_STORY, 'found-order-1', 'seen in 2 runs');
    expect(await search('order.yaml', '--exhaustive')).toEqual({
      code: 1,
      out: `✗ order: 1 finding  4 runs · 6 states\n${found}  complete: up to 2 branchings in one run, 2 final states; ${INDEPENDENT}\n`,
      err: '',
    });
  });

  it('may be too many', async () => {
    const found = finding('account-first', 'root-certificate', ORDER_STORY, 'found-order-1', 'seen in 1 run');
    expect((await search('order.yaml', '--exhaustive', '--depth', '1', '--budget', '2')).out).toBe(
      `✗ order: 1 finding  2 runs · 6 states\n${found}  not complete: up to 2 branchings in one run, 2 final states; ${INDEPENDENT}\n` +
        '  2 orders deeper than --depth were not tried\n  a larger --budget tries more (plateau: everything)\n',
    );
    expect((await search('quiet.yaml', '--exhaustive', '--budget', '1')).out).toMatch(/^✓ quiet: /);
  });

  it('is a document', async () => {
    const { code, out } = await search('order.yaml', '--exhaustive', '--json');
    const choices = [
      { at: 'write controller-manager service-account shop: create ServiceAccount #1', injectedFault: { do: 'late', ms: 1 } },
    ];
    expect([code, JSON.parse(out)]).toEqual([
      1,
      {
        exitCode: 1,
        scenario: 'order',
        way: 'exhaustive',
        runs: 4,
        states: 6,
        deepest: 2,
        complete: true,
        cut: 0,
        elsewhere: 0,
        ends: 2,
        latencyGiven: false,
        findings: [{ claim: 'account-first', words: ORDER_STORY, choices, file: 'found-order-1.yaml', seen: 2 }],
      },
    ]);
  });
});

describe('every single fault', () => {
  it('is tried at every point', async () => {
    const found = finding('account-soon', 'service-account', LATE_STORY, 'found-late-1');
    expect(await search('late.yaml', '--deviations', '1', '--faults', 'hold')).toEqual({
      code: 1,
      out: `✗ late: 1 finding  all 45 tried\n${found}  at 7 points: see 5, decide 2\n`,
      err: '',
    });
    expect(await search('quiet.yaml', '--deviations', '1', '--faults', 'hold,lose')).toEqual({
      code: 0,
      out: '✓ quiet: no single fault breaks it  all 7 tried\n\n  at 1 point: see 1\n',
      err: '',
    });
  });

  it('is tried up to the budget', async () => {
    expect(await search('late.yaml', '--deviations', '1', '--faults', 'hold', '--budget', '2 runs')).toEqual({
      code: 0,
      out: '✓ late: no single fault that was tried broke it  2 of 45 tried\n\n  at 7 points: see 5, decide 2\n  more --budget tries more (plateau: all of them)\n',
      err: '',
    });
  });

  it('is a document, which ends with the first finding where it is asked for', async () => {
    const { code, out } = await search('late.yaml', '--deviations', '1', '--faults', 'hold', '--json', '--until-found');
    const choices = [{ at: 'see controller-manager Namespace shop #1', injectedFault: { do: 'hold', ms: 1_000 } }];
    expect([code, JSON.parse(out)]).toEqual([
      1,
      {
        exitCode: 1,
        scenario: 'late',
        way: 'deviations',
        runs: 4,
        all: 45,
        stuck: 0,
        elsewhere: 0,
        points: { see: 5, decide: 2 },
        findings: [{ claim: 'account-soon', words: LATE_STORY, choices, file: 'found-late-1.yaml', seen: 1 }],
      },
    ]);
  });
});
