/** Dumps and logs of real size, by the command in a fresh process: loading, questions, and an audit log. Processor time, and the peak of memory. */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clusterDump } from '../test/surfaces/cli/what-if/dump.ts';
import type { Benchmark, Row } from './benchmark.ts';

const command = fileURLToPath(new URL('../bin/orchsim.js', import.meta.url));
/** Makes a program print its processor time and its peak of memory at its exit. */
const TELL = `data:text/javascript,${encodeURIComponent(
  "import { isMainThread } from 'node:worker_threads'; if (isMainThread) process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); process.stderr.write(`\\ncost ${(userCPUTime + systemCPUTime) / 1000} ${maxRSS / 1024}`); });",
)}`;

/** Runs the command; throws where it ends with another code than 0 or 1. */
function cost(label: string, args: readonly string[], cwd: string, [units, unit]: readonly [number, string]): Promise<Row> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', TELL, command, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
    child.on('error', reject);
    child.on('close', (code) => {
      const [, ms, megabytes] = /\ncost ([\d.]+) ([\d.]+)$/.exec(said) ?? [];
      if ((code !== 0 && code !== 1) || ms === undefined)
        reject(new Error(`orchsim ${args.join(' ')} ended with ${code ?? 'a signal'}: ${said}`));
      else resolve({ label, ms: Number(ms), units, unit, work: { megabytes: Math.round(Number(megabytes)) } });
    });
  });
}

async function inFolder(measure: (folder: string) => Promise<readonly Row[]>): Promise<{ readonly rows: readonly Row[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-bench-'));
  try {
    return { rows: await measure(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const QUESTIONS = ['drain node-3', 'lose zone a for 20m', 'scale deploy/web-0 40', 'delete ns/shop', 'upgrade nodes one by one'];

export const fromADump: Benchmark = {
  name: 'from-a-dump',
  asks: 'a dump of 10,000 pods on 500 nodes, loaded (owed: 10 s, 1 GB), and questions to one of 2,400 objects',
  run: (scale) =>
    inFolder(async (folder) => {
      const [nodes, replicas] = [scale.size(500), 20];
      writeFileSync(join(folder, 'large.json'), clusterDump({ nodes, workloads: nodes, replicas }));
      writeFileSync(join(folder, 'dump.json'), clusterDump({ nodes: scale.size(50), workloads: scale.size(100), replicas }));
      const rows = [await cost('run --from, with its first minute', ['run', '--from', 'large.json'], folder, [nodes * replicas, 'pod'])];
      for (const question of QUESTIONS)
        rows.push(await cost(`what-if … ${question}`, ['what-if', 'dump.json', ...question.split(' ')], folder, [scale.size(2000), 'pod']));
      return rows;
    }),
};

/** A namespace with a Job, a rollout and a scaling, whose log is repeated under other names. */
const MORNING = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: morning }
spec:
  domain: k8s.io
  until: 100s
  cluster:
    nodes: { count: 50, capacity: { cpu: "1000", memory: 1000Gi, pods: "10000" } }
    podBehaviors: [{ selector: { matchLabels: { job-name: work } }, startDelay: 1s, runFor: 20s }, { startDelay: 1s }]
  steps:
    - { at: 1s, create: { apiVersion: v1, kind: Namespace, metadata: { name: team-x } } }
    - at: 2s
      create: { apiVersion: batch/v1, kind: Job, metadata: { name: work, namespace: team-x }, spec: { completions: 10, parallelism: 10, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: work }] } } } }
    - at: 2s
      create: { apiVersion: apps/v1, kind: Deployment, metadata: { name: web, namespace: team-x }, spec: { replicas: 6, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: web }] } } } }
    - { at: 40s, patch: { target: Deployment/team-x/web, type: strategic, patch: { spec: { template: { spec: { containers: [{ name: c, image: "web:2" }] } } } } } }
    - { at: 70s, scale: { target: Deployment/team-x/web, replicas: 3 } }
`;
const APART_MS = 7_000;

/** Writes the log of many namespaces, some seconds apart, and returns the number of its lines. */
function writeLog(file: string, once: string, lines: number): number {
  const each = once.trimEnd().split('\n').length;
  const times = Math.ceil(lines / each);
  for (let nth = 0; nth < times; nth++)
    appendFileSync(
      file,
      once
        .replaceAll('team-x', `team-${nth}`)
        .replaceAll('"auditID":"00000000-', `"auditID":"${nth.toString(16).padStart(8, '0')}-`)
        .replaceAll(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z"/g, (_, second: string, part: string = '') => {
          const at = new Date(Date.parse(`${second}Z`) + nth * APART_MS);
          return `"${at.toISOString().slice(0, 19)}${part}Z"`;
        }),
    );
  return times * each;
}

export const importLog: Benchmark = {
  name: 'import',
  asks: 'an audit log of 200,000 lines (500 MB), read and replayed',
  run: (scale) =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'morning.yaml'), MORNING);
      await cost('', ['run', 'morning.yaml', '--audit-log', 'once.log'], folder, [1, 'run']);
      const lines = writeLog(join(folder, 'audit.log'), readFileSync(join(folder, 'once.log'), 'utf8'), scale.size(200_000));
      return [
        await cost('read and saved', ['import', 'audit.log', '--no-run', '--save', 'incident.yaml'], folder, [lines, 'line']),
        await cost('read and replayed', ['import', 'audit.log'], folder, [lines, 'line']),
      ];
    }),
};
