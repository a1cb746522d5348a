/** The cost of Jobs and StatefulSets, against a loop written by hand, against the real control plane, and against each other. */
import { againstLiteral } from '../against-literal.ts';
import type { Scale } from '../benchmark.ts';
import { timeJobs, warmUp } from '../jobs.ts';
import { literalLoop } from '../literal-loop.ts';
import { cpu, inTurns } from '../measure.ts';
import { runCold } from './command.ts';
import type { Figure, FigureGroup } from './figure.ts';
import { ENDLESS, GOVERNING, jobOf, setOf, timeLoad } from './loads.ts';

/** CPU time of v1.24's control plane for the same work on the machine where it was measured, milliseconds. */
const REAL = { oneJob: 5_400, manyJobs: 5_200, statefulSet: 1_500 };

export const literal: FigureGroup = {
  name: 'literal',
  asks: againstLiteral.asks,
  measure(scale) {
    warmUp();
    const pods = scale.size(100_000);
    const parallelism = 1_000;
    literalLoop(5_000, parallelism, 20);
    const whole = timeJobs({ jobs: 1, pods, parallelism });
    const byHand = cpu(() => literalLoop(pods, parallelism, 20));
    return [{ label: 'one Job of 100,000 / the literal loop', value: whole.ms / byHand.ms, limit: 5, is: 'most', unit: '×' }];
  },
};

export const real: FigureGroup = {
  name: 'real',
  asks: 'CPU of the real control plane for the same work, in multiples of ours',
  async measure(scale) {
    warmUp();
    const times = inTurns(scale.rounds, [
      () => timeLoad(20, {}, [jobOf('one', 1_000, 100)], 1_000),
      () =>
        timeLoad(
          20,
          {},
          Array.from({ length: 100 }, (_, at) => jobOf(`job-${at}`, 10, 5)),
          1_000,
        ),
      () => timeLoad(20, ENDLESS, [GOVERNING, setOf(200)], 200),
    ]).map(({ ms }) => ms);
    const cold = await runCold({ job: { pods: 1_000, parallelism: 100 } });
    const row = (label: string, theirs: number, ours: number | undefined, limit: number): Figure => ({
      label,
      value: theirs / (ours ?? Infinity),
      limit,
      is: 'least',
      unit: '×',
    });
    return [
      row('real CPU / Job 1,000 × 100, warm', REAL.oneJob, times[0], 50),
      row('real CPU / Job 1,000 × 100, a cold process', REAL.oneJob, cold.cpuMs, 20),
      row('real CPU / 100 Jobs × 10, warm', REAL.manyJobs, times[1], 40),
      row('real CPU / StatefulSet of 200, warm', REAL.statefulSet, times[2], 40),
    ];
  },
};

/** Alternating cases: milliseconds for each unit. */
const per = (what: 'commits' | 'events', scale: Scale, cases: readonly (() => ReturnType<typeof timeLoad>)[]): readonly number[] =>
  inTurns(scale.rounds, cases).map(({ ms, value }) => ms / value[what]);

export const perCommit: FigureGroup = {
  name: 'per-commit',
  asks: 'CPU a commit, against that of a plain Job',
  measure(scale) {
    warmUp();
    const pods = scale.size(2_000);
    const [plain = 1, indexed = 0, set = 0] = per('commits', scale, [
      () => timeLoad(20, {}, [jobOf('plain', pods, 200)], pods),
      () => timeLoad(20, {}, [jobOf('indexed', pods, 200, { completionMode: 'Indexed' })], pods),
      () => timeLoad(20, ENDLESS, [GOVERNING, setOf(pods)], pods),
    ]);
    const row = (label: string, value: number): Figure => ({ label, value, limit: 1.3, is: 'most', unit: '×' });
    return [row('CPU a commit, StatefulSet / plain Job', set / plain), row('CPU a commit, Indexed / plain Job', indexed / plain)];
  },
};

export const smallJobs: FigureGroup = {
  name: 'small-jobs',
  asks: 'many small Jobs against one big, by kernel event',
  measure(scale) {
    warmUp();
    const jobs = scale.size(1_000);
    const [small = 0, big = 1] = per('events', scale, [
      () =>
        timeLoad(
          20,
          {},
          Array.from({ length: jobs }, (_, at) => jobOf(`job-${at}`, 10, 5)),
          jobs * 10,
        ),
      () => timeLoad(20, {}, [jobOf('one', jobs * 10, 1_000)], jobs * 10),
    ]);
    return [{ label: 'CPU a kernel event, many small Jobs / one big', value: small / big, limit: 1.25, is: 'most', unit: '×' }];
  },
};
