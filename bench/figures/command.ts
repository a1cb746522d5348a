/** The cost of the command in a separate process: a cold one for each run, and sweeps. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../../src/schema/values/index.ts';
import { literalLoop } from '../literal-loop.ts';
import { cpu } from '../measure.ts';
import { start as startBenchmark } from '../start.ts';
import type { Figure, FigureGroup } from './figure.ts';

const command = fileURLToPath(new URL('../bin/orchsim.js', import.meta.url));
/** Makes a program print its processor time, of all threads together, at its exit. */
const TELL = `data:text/javascript,${encodeURIComponent(
  "import { isMainThread } from 'node:worker_threads'; if (isMainThread) process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write(`\\ncpu ${(user + system) / 1000}`); });",
)}`;

interface Load {
  readonly job?: { readonly pods: number; readonly parallelism: number };
  readonly replicas?: number;
}

interface Took {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const job = (pods: number, parallelism: number): string => `
    - apply:
        apiVersion: batch/v1
        kind: Job
        metadata: { name: work }
        spec: { completions: ${pods}, parallelism: ${parallelism}, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "work:1" }] } } }
    - waitFor: { match: { kind: Job, metadata: { name: work }, status: { succeeded: ${pods} } }, within: 10h }`;

const set = (replicas: number): string => `
    - apply:
        - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: None, selector: { app: web }, ports: [{ port: 80 }] } }
        - apiVersion: apps/v1
          kind: StatefulSet
          metadata: { name: web }
          spec:
            replicas: ${replicas}
            podManagementPolicy: Parallel
            serviceName: web
            selector: { matchLabels: { app: web } }
            template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "work:1" }] } }
    - waitFor: { match: { kind: StatefulSet, metadata: { name: web }, status: { readyReplicas: ${replicas} } }, within: 10h }`;

const scenario = ({ job: wanted, replicas }: Load): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: bench }
spec:
  featureGates: { JobTrackingWithFinalizers: true }
  cluster:
    nodes: { count: 20, capacity: { cpu: "1000", memory: 1000Gi, pods: "100000" } }
    podBehaviors: [{ ${wanted === undefined ? '' : 'runFor: 1s'} }]
  steps:${wanted === undefined ? '' : job(wanted.pods, wanted.parallelism)}${replicas === undefined ? '' : set(replicas)}
`;

/**
 * Runs a load with the command in a fresh process.
 * @throws when it does not hold.
 */
export async function runCold(load: Load, args: readonly string[] = []): Promise<Took> {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-bench-'));
  const path = join(folder, 'load.yaml');
  writeFileSync(path, scenario(load));
  try {
    return await took(['run', path, ...args]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const took = (args: readonly string[]): Promise<Took> =>
  new Promise((resolve, reject) => {
    const startedAt = process.hrtime.bigint();
    const child = spawn(process.execPath, ['--import', TELL, command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      const cpuMs = Number(/\ncpu ([\d.]+)$/.exec(said.join(''))?.[1]);
      if (code === 0 && cpuMs > 0) resolve({ cpuMs, wallMs: Number(process.hrtime.bigint() - startedAt) / 1e6 });
      else reject(new Error(`the command ended with ${code ?? 'a signal'}: ${said.join('')}`));
    });
  });

/** The literal loop's own time, interleaved with the runs of the command; the median of five, because one of them varies by a half. */
const literalMs = (pods: number): number => median([1, 2, 3, 4, 5].map(() => cpu(() => literalLoop(pods, 1_000, 20)).ms)) ?? 0;

export const cold: FigureGroup = {
  name: 'cold',
  asks: 'one run by the command, start to end, against the literal loop with as many pods',
  async measure(scale) {
    literalLoop(5_000, 1_000, 20);
    const [pods, few, many] = [scale.size(20_000), scale.size(2_000), scale.size(10_000)];
    const job = await runCold({ job: { pods, parallelism: 1_000 } });
    const jobByHand = literalMs(pods);
    // The compiler's warm-up is in both sizes of a set, so it is not in their difference.
    const [less, lessByHand] = [await runCold({ replicas: few }), literalMs(few)];
    const [more, moreByHand] = [await runCold({ replicas: many }), literalMs(many)];
    const start = await startBenchmark.run(scale);
    const row = (label: string, value: number, limit: number): Figure => ({ label, value, limit, is: 'most', unit: '×' });
    return [
      row('`run` of a Job of 20,000, a cold process / the literal loop', job.cpuMs / jobByHand, 7),
      row('a replica behind a service, between 2,000 and 10,000 / literal', (more.cpuMs - less.cpuMs) / (moreByHand - lessByHand), 15),
      ...('score' in start && start.score !== undefined
        ? [{ label: 'the command to its first scenario line', value: start.score.value, limit: 200, is: 'most', unit: 'ms' } as const]
        : []),
    ];
  },
};

export const sweeps: FigureGroup = {
  name: 'sweeps',
  asks: 'more seeds on two workers against one',
  async measure(scale) {
    const load: Load = { job: { pods: 200, parallelism: 20 } };
    const [few, many] = [scale.size(100), scale.size(400)];
    /** The difference of the longer sweep, so that one-time costs of each thread do not count. */
    const going = async (workers: number): Promise<Took> => {
      const args = (seeds: number): readonly string[] => ['--seeds', `1..${seeds}`, '--jobs', String(workers)];
      const [short, long] = [await runCold(load, args(few)), await runCold(load, args(many))];
      return { cpuMs: long.cpuMs - short.cpuMs, wallMs: long.wallMs - short.wallMs };
    };
    const [one, two] = [await going(1), await going(2)];
    return [
      { label: 'CPU a seed on two workers / on one', value: two.cpuMs / one.cpuMs, limit: 1.15, is: 'most', unit: '×' },
      {
        label: 'two processors busy during a sweep on two workers',
        value: (two.cpuMs / two.wallMs / 2) * 100,
        limit: 90,
        is: 'least',
        unit: '%',
      },
    ];
  },
};
