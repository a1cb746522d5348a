/** Explains what the objects of a failed expectation wait for. Only runs that keep their trace have this. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { DEFAULT_NAMESPACE, type Expectation } from '../scenario/index.ts';
import { addressOf } from '../../controlplane/runtime/index.ts';
import type { ObjectName, Trace } from '../trace/index.ts';
import { situationOf, waitingText, blockersOf, type Situation, type Waiting } from '../blockers/index.ts';

/** The limits of explained objects, and of all lines. */
const MOST_OBJECTS = 3;
const MOST_LINES = 8;

/** Kinds of top-level workloads; their dependents are explained with them. */
const ROOTS: readonly string[] = ['Job', 'StatefulSet', 'DaemonSet', 'CronJob', 'Pod', 'PersistentVolumeClaim', 'Namespace'];

/** Returns the lines; empty: no reason is known. */
export function waitingLines(
  cluster: Cluster,
  trace: Trace,
  about: ObjectName | undefined,
  expectation: Expectation | undefined,
): readonly string[] {
  const situation = situationOf(cluster, trace);
  const named = [...(about === undefined ? [] : [about]), ...(expectation === undefined ? [] : namedBy(expectation, cluster))];
  const waits = reported(situation, named);
  return waitingText(waits.length > 0 ? waits : reported(situation, rootsOf(situation)), MOST_LINES);
}

function reported(situation: Situation, names: readonly ObjectName[]): readonly Waiting[] {
  const seen = new Set<string>();
  const found: Waiting[] = [];
  let objects = 0;
  for (const name of names) {
    const waits = blockersOf(situation, name).filter((wait) => !seen.has(placeOf(wait)));
    if (waits.length === 0) continue;
    for (const wait of waits) seen.add(placeOf(wait));
    found.push(...waits);
    if (++objects === MOST_OBJECTS) break;
  }
  return found;
}

const placeOf = ({ about: { kind, namespace = '', name }, text }: Waiting): string => JSON.stringify([kind, namespace, name, text]);

function namedBy(expectation: Expectation, cluster: Cluster): readonly ObjectName[] {
  const nameOf = (kind: string, namespace: string | undefined, name: string): ObjectName =>
    cluster.kinds.byKind(kind)?.namespaced === false ? { kind, name } : { kind, namespace: namespace ?? DEFAULT_NAMESPACE, name };
  if (expectation.expect === 'match') {
    const { kind, metadata } = expectation.match;
    const { name, namespace } = metadata ?? {};
    if (kind === undefined || typeof name !== 'string') return [];
    return [nameOf(kind, typeof namespace === 'string' ? namespace : undefined, name)];
  }
  if (expectation.expect === 'count' && expectation.of.name !== undefined)
    return [nameOf(expectation.of.kind, expectation.of.namespace, expectation.of.name)];
  if (expectation.expect !== 'cel') return [];
  return [...expectation.expression.cel.matchAll(/object\(\s*['"](\w+)\/(?:([\w.-]+)\/)?([\w.-]+)['"]\s*\)/g)].map(
    ([, kind = '', namespace, name = '']) => nameOf(kind, namespace, name),
  );
}

function rootsOf({ world }: Situation): readonly ObjectName[] {
  return ROOTS.flatMap((kind) =>
    world
      .list(kind)
      .filter(({ metadata }) => !(metadata.ownerReferences ?? []).some(({ controller }) => controller === true))
      .map(addressOf),
  );
}
