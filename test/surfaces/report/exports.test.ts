/** Runs in the formats of other viewers: every line meets their specification. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { stepOf, type Trace } from '../../../src/lab/trace/index.ts';
import { perfettoEvents, perfettoText, shivizLines } from '../../../src/surfaces/report/index.ts';
import { cli, folderWith, HOLDS } from '../cli/cli.ts';

function traceOf(name: string): Trace {
  const read = readScenarios(readFileSync(join(import.meta.dirname, '../../../scenarios', `${name}.yaml`), 'utf8'));
  const scenario = 'scenarios' in read ? read.scenarios[0] : undefined;
  const trace = scenario === undefined ? undefined : simulate(scenario, { trace: true }).trace;
  if (trace === undefined) throw new Error(name);
  return trace;
}

/** An event in the viewer's format. */
interface Read {
  readonly ph: string;
  readonly name: string;
  readonly ts: number;
  readonly pid: number;
  readonly tid: number;
  readonly dur: number;
  readonly cat: string;
  readonly id: string;
  readonly args: { readonly step: number };
}

describe.each(['job/15-crash-between-writes', 'lease/05-leader-cut-off'])('%s for Perfetto', (name) => {
  const trace = traceOf(name);
  const { traceEvents, displayTimeUnit } = JSON.parse([...perfettoText(trace, { scenario: name })].join('')) as {
    readonly displayTimeUnit: string;
    readonly traceEvents: readonly Read[];
  };

  it('has the required fields of each event', () => {
    expect(displayTimeUnit).toBe('ms');
    for (const event of traceEvents) {
      expect(['X', 'M', 's', 'f']).toContain(event.ph);
      expect(typeof event.name).toBe('string');
      for (const field of ['ts', 'pid', 'tid'] as const) expect(event[field]).toEqual(expect.any(Number));
      expect(event.ts).toBeGreaterThanOrEqual(0);
      if (event.ph === 'X') expect(event.dur).toBeGreaterThanOrEqual(0);
    }
    const named = new Set(traceEvents.filter((event) => event.name === 'thread_name').map(({ pid, tid }) => `${pid} ${tid}`));
    for (const { ph, pid, tid } of traceEvents) if (ph !== 'M') expect(named).toContain(`${pid} ${tid}`);
  });

  it('has a slice for each entry, in order, without overlaps in a thread', () => {
    const slices = traceEvents.filter(({ ph, cat }) => ph === 'X' && cat !== 'pod');
    expect(slices.map(({ args }) => args.step)).toEqual(trace.entries.map((_, index) => index + 1));
    const ends = new Map<string, number>();
    for (const { pid, tid, ts, dur } of slices) {
      expect(ts).toBeGreaterThanOrEqual((ends.get(`${pid} ${tid}`) ?? 0) - 1e-6);
      ends.set(`${pid} ${tid}`, ts + dur);
    }
  });

  it('binds each arrow to the slice that it begins or ends at', () => {
    const causes = trace.entries.flatMap((entry, index) => entry.causes.filter((cause) => (stepOf(trace, cause) ?? Infinity) <= index));
    const begins = traceEvents.filter(({ ph }) => ph === 's');
    const ends = traceEvents.filter(({ ph }) => ph === 'f');
    expect(begins.length).toBe(causes.length);
    expect(begins.map(({ id }) => id)).toEqual(ends.map(({ id }) => id));
    const at = new Set(traceEvents.filter(({ ph }) => ph === 'X').map(({ pid, tid, ts }) => `${pid} ${tid} ${ts}`));
    for (const { pid, tid, ts } of [...begins, ...ends]) expect(at).toContain(`${pid} ${tid} ${ts}`);
  });

  it('has the phases of pods', () => {
    const bars = [...perfettoEvents(trace)].filter(({ cat }) => cat === 'pod');
    expect(new Set(bars.map(({ name }) => name))).toContain('Succeeded');
  });
});

describe.each(['job/15-crash-between-writes', 'lease/05-leader-cut-off'])('%s for ShiViz', (name) => {
  const trace = traceOf(name);
  const lines = [...shivizLines(trace)];
  const [expression = '', delimiter, ...log] = lines;
  const found = [...log.join('\n').matchAll(new RegExp(expression, 'g'))].map(({ groups }) => ({
    host: groups?.['host'] ?? '',
    clock: JSON.parse(groups?.['clock'] ?? '{}') as Readonly<Record<string, number>>,
    event: groups?.['event'] ?? '',
  }));

  it('is parsed by its first line', () => {
    expect(delimiter).toBe('');
    expect(found.length).toBe(trace.entries.length);
    expect(found.map(({ host, clock, event }) => [`${host} ${JSON.stringify(clock)}`, event]).flat()).toEqual(log);
  });

  it('has clocks that grow by one at their host, and refer only to earlier events', () => {
    const reached = new Map<string, number>();
    for (const { host, clock } of found) {
      expect(clock[host]).toBe((reached.get(host) ?? 0) + 1);
      reached.set(host, clock[host] ?? 0);
      for (const [other, at] of Object.entries(clock)) expect(at).toBeLessThanOrEqual(reached.get(other) ?? 0);
    }
    expect(reached.size).toBeGreaterThan(4);
  });

  it('puts every cause before its effect', () => {
    let compared = 0;
    trace.entries.forEach((entry, index) => {
      for (const cause of entry.causes) {
        const step = stepOf(trace, cause);
        const [from, to] = [found[(step ?? 0) - 1], found[index]];
        if (step === undefined || from === undefined || to === undefined) continue;
        compared++;
        for (const [host, at] of Object.entries(from.clock)) expect(to.clock[host] ?? 0).toBeGreaterThanOrEqual(at);
      }
    });
    expect(compared).toBeGreaterThan(50);
  });
});

it('are written by run, and overwrite nothing else', async () => {
  const cwd = folderWith({ 'holds.yaml': HOLDS, mine: 'notes' });
  const { code } = await cli(['run', 'holds.yaml', '--perfetto', 'p.json', '--shiviz', 's.log'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, 'p.json'), 'utf8'))).toMatchObject({ otherData: { scenario: 'holds', seed: 1 } });
  expect(readFileSync(join(cwd, 's.log'), 'utf8')).toMatch(/^\(\?<host>.+\n\n/);
  expect((await cli(['run', 'holds.yaml', '--perfetto', 'p.json', '--shiviz', 's.log'], { cwd })).code).toBe(0);
  const refused = await cli(['run', 'holds.yaml', '--shiviz', 'mine'], { cwd });
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--shiviz: mine exists and has other contents')]);
  const several = await cli(['run', 'holds.yaml', '--seeds', '1..2', '--perfetto', 'p.json'], { cwd });
  expect([several.code, several.err]).toEqual([2, expect.stringContaining('--perfetto: a sweep keeps nothing of its runs')]);
});
