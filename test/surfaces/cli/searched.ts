/** Scenarios that are quickly searched, and the result of a search by hand. */
import type { MomentCoverage, Reach, Statistics } from '../../../src/lab/search/index.ts';
import type { Reported } from '../../../src/surfaces/cli/search/files.ts';
import type { SearchCoverage, Story } from '../../../src/surfaces/cli/search/report-lines.ts';

/** Scenarios that are quickly searched. */
export const QUIET = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: quiet }
spec:
  until: 5s
  cluster: { nodes: { count: 0 }, latency: { api: 2ms, watch: 1ms } }
  steps:
    - at: 1s
      apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: web }, data: { a: "1" } }
    - at: 4s
      expect: { match: { kind: ConfigMap, metadata: { name: web } } }
`;
/** Breaks if the controllers observe its namespace two seconds late. */
export const LATE = QUIET.replace('name: quiet', 'name: late').replace(
  'steps:',
  `invariants: [{ name: account-soon, foreach: Namespace, eventually: "objects('ServiceAccount', self.metadata.name).size() > 0", within: 900ms }]
  steps:
    - at: 500ms
      apply: { apiVersion: v1, kind: Namespace, metadata: { name: shop } }`,
);

/** The result of a search, by hand: nothing was found. */
export const CHOICES = [{ at: 'see scheduler Pod a', injectedFault: { do: 'hold', ms: 5 } }] as unknown as Reported['choices'];

export const STATISTICS: Statistics = {
  runs: 1_000,
  replayed: 0,
  stuck: 0,
  reached: new Map([
    ['job: it is done', 3],
    ['job: begins', 0],
  ]),
  kept: new Map(),
  tried: new Map(),
  catches: new Map(),
  moments: { single: new Set(), pairs: new Set() },
  idle: new Set(),
};
export const MOMENTS: MomentCoverage = {
  controllers: [],
  moments: 12,
  kinds: 2,
  single: { tried: 1_500, of: 2_000 },
  pairs: { tried: 3, of: 4_000 },
  rows: [],
};
export const REACH: Reach = {
  reasons: [{ controller: 'job', said: ['begins', 'it is done'] }],
  curve: [
    { run: 0, reasons: 1 },
    { run: 3, reasons: 2 },
  ],
  tried: [],
  untried: [],
  idle: [],
};
export const LOOKED: SearchCoverage = {
  reach: REACH,
  runs: 1_000,
  known: { faults: [], reasons: { job: ['begins', 'it is done', 'never'], node: ['x'] } },
  whole: false,
};
export const STORY: Story = {
  name: 'web',
  seed: 1,
  statistics: STATISTICS,
  looked: LOOKED,
  findings: [],
  elsewhere: [],
  judge: 'mine',
  moments: MOMENTS,
  lost: 0,
  left: 0,
  interrupted: false,
  seconds: 1.4,
};
export const FOUND: Reported = {
  claim: 'job/x',
  scenario: {} as never,
  choices: CHOICES,
  words: ['it broke', 'twice'],
  seen: 3,
  firstRun: 7,
};
