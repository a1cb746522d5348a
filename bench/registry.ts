/** Every benchmark: one file and one line each, in the order they run. */
import type { Benchmark } from './benchmark.ts';
import { api } from './api.ts';
import { againstLiteral } from './against-literal.ts';
import { bigJob } from './big-job.ts';
import { bulk } from './bulk.ts';
import { costPerPod } from './cost-per-pod.ts';
import { cronJob } from './cron-job.ts';
import { daemonSet } from './daemon-set.ts';
import { digest } from './digest.ts';
import { fromADump, importLog } from './from-a-cluster.ts';
import { history } from './history.ts';
import { hostile } from './hostile/index.ts';
import { httpList } from './http-list.ts';
import { httpWatch } from './http-watch.ts';
import { leases } from './leases.ts';
import { manyJobs } from './many-jobs.ts';
import { memoryPerPod } from './memory-per-pod.ts';
import { nodes } from './nodes.ts';
import { podsPerJob } from './pods-per-job.ts';
import { start } from './start.ts';
import { statefulSet } from './stateful-set.ts';
import { sweep } from './sweep.ts';
import { validation } from './validation.ts';

export const benchmarks: readonly Benchmark[] = [
  bigJob,
  bulk,
  manyJobs,
  costPerPod,
  podsPerJob,
  memoryPerPod,
  nodes,
  cronJob,
  statefulSet,
  daemonSet,
  leases,
  againstLiteral,
  history,
  digest,
  sweep,
  start,
  api,
  validation,
  httpList,
  httpWatch,
  fromADump,
  importLog,
  hostile,
];
