/** What reports are made of, by hand, and a palette whose colours can be read. */
import type { Run, RunFailure } from '../../../src/lab/simulation/index.ts';
import type { LineParts } from '../../../src/lab/trace/index.ts';
import type { Palette, RunSummary } from '../../../src/surfaces/report/index.ts';

const marked =
  (name: string) =>
  (text: string): string =>
    `<${name}>${text}</${name}>`;

/** A palette whose colours are their names. */
export const MARKED: Palette = {
  good: marked('good'),
  bad: marked('bad'),
  warn: marked('warn'),
  accent: marked('accent'),
  dim: marked('dim'),
  strong: marked('strong'),
};

export const numbered = (many: number, name: string): readonly string[] => Array.from({ length: many }, (_, at) => `${name}-${at + 1}`);

/** Leaves out what is the same for every run of a report; the rest is as given. */
export const runWith = (given: Partial<Run> | { readonly scenario: object }): Run =>
  ({
    seed: 7,
    digest: 'd1',
    lengthMs: 90_000,
    failures: [],
    invariants: [],
    ...given,
  }) as unknown as Run;

export const failure = (given: Partial<RunFailure> = {}): RunFailure => ({
  kind: 'step',
  message: 'it failed',
  detail: [],
  sinceStartMs: 5_000,
  traceStep: 3,
  ...given,
});

export const summaryOf = (given: Partial<RunSummary> = {}): RunSummary => ({
  scenario: 'web',
  file: 'web.yaml',
  seed: 7,
  verdict: 'held',
  failures: [],
  invariants: [],
  narrationSteps: [],
  digest: 'd1',
  counters: { commits: 12, deliveries: 40, reconciles: 1, refusals: 0 },
  steps: 1_234,
  lengthMs: 65_250,
  settled: true,
  ...given,
});

export const parts = (given: Partial<LineParts> = {}): LineParts => ({
  time: '5.000s',
  step: '#3',
  who: 'job',
  about: 'pi',
  what: 'create Pod pi-0',
  revision: 'rv 9',
  why: 'it is needed',
  tone: 'created',
  ...given,
});
