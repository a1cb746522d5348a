/** What reports are made of, by hand, and a palette whose colours can be read. */
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import type { Run, RunFailure } from '../../../src/lab/simulation/index.ts';
import type { Entry, LineParts, Trace } from '../../../src/lab/trace/index.ts';
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

/** The start of the traces below. */
export const START = Date.UTC(2024, 4, 2, 9);

type Of<T extends Entry['type']> = Extract<Entry, { readonly type: T }>;

export const pod = (name: string, status: object = {}, meta: object = {}): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: `u-${name}`, resourceVersion: '1', ...meta },
    status,
  }) as unknown as ApiObject;

/** Entries by hand: `id`, milliseconds since the start, and what is particular to the type. */
export const entry = {
  /** A write of a pod by a controller; `previous` makes it an update. */
  write: (id: number, ms: number, name: string, more: Partial<Omit<Of<'write'>, 'change'>> & { readonly change?: object } = {}): Entry =>
    ({
      type: 'write',
      id,
      at: START + ms,
      causes: [],
      actor: 'controller-manager',
      controller: 'job',
      ...more,
      change: {
        revision: id,
        type: 'ADDED',
        kind: 'Pod',
        key: `default/${name}`,
        object: pod(name),
        at: START + ms,
        entry: id,
        ...more.change,
      },
    }) as unknown as Entry,
  decision: (id: number, ms: number, key: string, why: string, more: Partial<Of<'reconcile'>> = {}): Entry =>
    ({
      type: 'reconcile',
      id,
      at: START + ms,
      causes: [],
      process: 'controller-manager',
      controller: 'job',
      key,
      why,
      writes: 0,
      ...more,
    }) as Entry,
  delivery: (id: number, ms: number, name: string, causes: readonly number[] = []): Entry =>
    ({
      type: 'delivery',
      id,
      at: START + ms,
      causes,
      process: 'scheduler',
      kind: 'Pod',
      key: `default/${name}`,
      delta: 'ADDED',
      revision: id,
    }) as unknown as Entry,
  fault: (id: number, ms: number, fault: string): Entry =>
    ({ type: 'fault', id, at: START + ms, causes: [], fault, detail: 'it is gone' }) as unknown as Entry,
  note: (id: number, ms: number, text: string): Entry => ({ type: 'note', id, at: START + ms, causes: [], text }),
  check: (id: number, ms: number, name: string): Entry => ({
    type: 'check',
    id,
    at: START + ms,
    causes: [id],
    name,
    held: true,
    detail: '',
  }),
};

export const traceOf = (entries: readonly Entry[], prologue: readonly Entry[] = []): Trace => ({ startAt: START, prologue, entries });
