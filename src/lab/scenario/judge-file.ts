/** Judges all objects that a file writes, when it has been read: its manifests and its steps. */
import { namesFor, resolveGates, RULES_MODES, type KindContext } from '../../apiserver/machinery/index.ts';
import type { Located } from '../../schema/yaml/index.ts';
import { SCENARIO_DEFAULTS } from './compile-cluster.ts';
import { memberAt, type CheckContext, type Written } from './context.ts';
import { startOf } from './dump.ts';
import { checkCapacity } from './check-capacity.ts';
import { judgeManifest } from './judge-manifests.ts';
import { DEFAULT_NAMESPACE } from './targets.ts';

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
