/** The options of public functions, each with its check. The types require a check for every option. */
import type { ClusterOptions } from '../../controlplane/cluster.ts';
import { faultKinds } from '../../lab/choices/index.ts';
import type { SearchOptions } from '../../lab/search/index.ts';
import type { SimulateOptions } from '../../lab/simulation/index.ts';
import type { ReadOptions } from '../../lab/vocabulary.ts';
import { didYouMean } from '../../schema/values/index.ts';
import { anything, being, callback, type Check, flag, having, integer, listOf, options, text } from './check.ts';

export type ChecksOf<Options> = Readonly<Record<keyof Options, Check>>;

const definitions = having([], 'definitions ({ controllers, invariants, faults, kinds }; defineConfig returns them)');
const seed = integer(0);

export const scenarioArgument = having(['name', 'steps', 'cluster'], 'a scenario (readScenarios returns them)');
export const runArgument = having(['scenario', 'verdict', 'failures'], 'a run (simulate returns it)');

export const readOptions = options({
  file: text,
  readFile: callback,
  readDump: callback,
  from: having(['paths'], '{ paths, secrets, lenient }'),
  domain: being('string', ' ("orch.io" or "k8s.io")'),
  plain: text,
  with: definitions,
  faults: listOf(anything),
  invariants: listOf(anything),
  kinds: anything,
  featureGates: anything,
  kindsOf: callback,
  schemaOf: callback,
} satisfies ChecksOf<Required<ReadOptions>>);

export const simulateOptions = options({
  seed,
  trace: flag,
  onEntry: callback,
  onRequest: callback,
  onFailure: callback,
  onPrologue: callback,
  onRenewalInterval: callback,
  onObjectChange: callback,
  webhooks: callback,
  certificateAuthority: having(['issuer', 'sign'], '{ issuer, sign }'),
  onCluster: callback,
  choose: callback,
  with: definitions,
  invariants: listOf(anything),
  controllers: callback,
  alter: callback,
  broadcast: flag,
  chooser: anything,
  eagerLeases: flag,
  mayBeIdle: flag,
  onLongRun: callback,
  digest: flag,
  tries: flag,
} satisfies ChecksOf<Required<SimulateOptions>>);

const faultName: Check = (value, path) => {
  const names: readonly string[] = faultKinds.map(({ name }) => name);
  if (typeof value === 'string' && names.includes(value)) return undefined;
  const near = typeof value === 'string' ? didYouMean(value, names) : '';
  return `${path}: expected one of ${names.join(', ')}, found ${JSON.stringify(value)}${near}`;
};

export const searchOptions = options({
  runs: integer(1),
  untilFound: flag,
  seed,
  faults: listOf(faultName),
  shard: having(['index', 'of'], '{ index, of }'),
  corpus: listOf(listOf(anything)),
  strand: integer(1),
  judge: (value, path) =>
    value === 'mine' || value === 'all' ? undefined : `${path}: expected "mine" or "all", found ${JSON.stringify(value)}`,
  with: definitions,
  invariants: listOf(anything),
  controllers: callback,
  alter: callback,
} satisfies ChecksOf<Required<SearchOptions>>);

export const clusterOptions = options({
  seed: (value, path) => (typeof value === 'string' ? undefined : seed(value, path)),
  startAt: integer(Number.MIN_SAFE_INTEGER),
  warmUpMs: integer(0),
  domain: being('string', ' ("orch.io" or "k8s.io")'),
  rules: being('string', ' ("specification" or "recorded")'),
  featureGates: having([], 'an object of feature gates'),
  limits: having([], 'an object of limits'),
  maxObjects: integer(1),
  latency: having(['api', 'watch'], '{ api, watch }'),
  nodes: listOf(having(['name', 'capacity'], '{ name, capacity }')),
  agents: having([], 'an object of agent options'),
  bootstrap: flag,
  managedFields: flag,
  from: listOf(having(['kind', 'metadata'], 'an object')),
  namespaces: listOf(having(['name'], '{ name, labels }')),
  clients: listOf(text),
  kinds: listOf(having(['kind'], 'a kind (defineKind returns it)')),
  controllers: callback,
  timeZone: text,
  metrics: listOf(anything),
  controlPlane: having([], '{ controllerManager, scheduler }'),
  alter: callback,
  eagerLeases: flag,
  broadcast: flag,
  choose: callback,
  webhooks: callback,
  certificateAuthority: having(['issuer', 'sign'], '{ issuer, sign }'),
  onObservation: callback,
  onRequest: callback,
  onRenewalInterval: callback,
  digest: flag,
} satisfies ChecksOf<Required<ClusterOptions>>);
