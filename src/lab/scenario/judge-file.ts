/** Judges all objects that a file writes, when it has been read: its manifests and its steps. */
import { type KindContext, namesFor, resolveGates, RULES_MODES } from '../../apiserver/machinery/index.ts';
import type { Located } from '../../schema/yaml/index.ts';
import { SCENARIO_DEFAULTS } from './compile-cluster.ts';
import { type CheckContext, memberAt, note, type Written } from './context.ts';
import { startOf } from './dump.ts';
import { judgeManifest } from './judge-manifests.ts';
import { DEFAULT_NAMESPACE } from './targets.ts';
import { MAX_OBJECTS } from '../../apiserver/handlers/index.ts';

/** Judges the objects in steps. */
export function judgeSteps(document: Located, context: CheckContext): void {
  checkCapacity(document, context);
  const rules = rulesIn(document, context);
  for (const written of context.written) judgeManifest(written, context, rules);
}

/** Judges the manifests beside a scenario, or those of a file without one. */
export function judgeDocuments(scenario: Located | undefined, context: CheckContext): void {
  checkCapacity(scenario, context);
  const rules = rulesIn(scenario, context);
  const hasNodes = memberAt(scenario, 'spec', 'cluster', 'nodes') !== undefined;
  const given = new Map(startOf(context.written, hasNodes).manifests.map(({ object, source }) => [source, object]));
  const named = new Set<string>();
  for (const written of context.written) {
    const object = given.get(written.source);
    if (object === undefined) continue;
    const key = keyOf(written);
    judgeManifest({ ...written, object, partial: named.has(key) }, context, rules);
    named.add(key);
  }
}

function keyOf({ object: { kind, metadata = {} } }: Written): string {
  const { namespace = DEFAULT_NAMESPACE, name } = metadata;
  return JSON.stringify([kind, namespace, name]);
}

/** Returns the context in which the server of a scenario validates objects. */
function rulesIn(scenario: Located | undefined, { domain = 'orch.io' }: CheckContext): KindContext {
  const gates = memberAt(scenario, 'spec', 'featureGates');
  const mode = memberAt(scenario, 'spec', 'rules')?.plain;
  return {
    names: namesFor(domain),
    gates: resolveGates(gates?.shape === 'map' ? switches(gates.plain) : {}).gates,
    rules: RULES_MODES.find((each) => each === mode),
    now: SCENARIO_DEFAULTS.startAt,
  };
}

const switches = (gates: Readonly<Record<string, unknown>>): Readonly<Record<string, boolean>> =>
  Object.fromEntries(Object.entries(gates).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'));

/** The field with the number of pods, by kind. */
const COUNTS: Readonly<Record<string, string>> = {
  Deployment: 'replicas',
  ReplicaSet: 'replicas',
  StatefulSet: 'replicas',
  Job: 'parallelism',
};

/** A larger number is an error of the field itself. */
const MOST_COUNTED = 2_147_483_647;

/**
 * Reports every object with more pods than a run may have objects: the run itself would fail only after minutes. `scenario`: the document
 * that may set the limit.
 */
function checkCapacity(scenario: Located | undefined, context: CheckContext): void {
  // A quota may limit the pods.
  if (context.written.some(({ object }) => object.kind === 'ResourceQuota')) return;
  const said = memberAt(scenario, 'spec', 'limits', 'objects')?.plain;
  const limit = typeof said === 'number' ? said : MAX_OBJECTS;
  for (const written of context.written) checkPods(written, limit, context);
}

function checkPods({ object: { kind = '' }, node, path }: Written, limit: number, context: CheckContext): void {
  const member = Object.hasOwn(COUNTS, kind) ? COUNTS[kind] : undefined;
  const at = member === undefined ? undefined : memberAt(node, 'spec', member);
  const asked = at?.plain;
  if (at === undefined || typeof asked !== 'number' || asked <= limit || asked > MOST_COUNTED || isThrottledFor(node, limit)) return;
  note(
    context,
    at,
    `${path}.spec.${member ?? ''}`,
    `at most ${limit}, the objects that a run may hold (spec.limits.objects allows more; a pod takes about 20 KB of memory)`,
    String(asked),
  );
}

/** Whether a Job creates fewer pods: at most as many as its completions at a time, and none while it is suspended. */
function isThrottledFor(node: Located, limit: number): boolean {
  const completions = memberAt(node, 'spec', 'completions')?.plain;
  return (typeof completions === 'number' && completions <= limit) || memberAt(node, 'spec', 'suspend')?.plain === true;
}
