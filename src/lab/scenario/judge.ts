/**
 * Judges all objects that a file writes, when it has been read, by the rules of their kinds: reports every value that the server would refuse in
 * any state, at its position. Rules that depend on stored objects are checked during the run.
 */
import { MAX_OBJECTS, staticErrors } from '../../apiserver/handlers/index.ts';
import { GATES, namesFor, resolveGates, RULES_MODES } from '../../apiserver/machinery/index.ts';
import type { FieldError, Kind, KindContext } from '../../apiserver/machinery/index.ts';
import { own } from '../../schema/values/index.ts';
import { findMisfits, type Misfit, type Schema } from '../../schema/shape/index.ts';
import { joinPath, type Located, positionOf } from '../../schema/yaml/index.ts';
import { SCENARIO_DEFAULTS } from './compile-cluster.ts';
import { type CheckContext, memberAt, Reading, type Written } from './context.ts';
import { startOf } from './dump.ts';
import { culprit, expectedBy, foundInstead, placed, type Placed, rewritten, stepsOf, wordsOf } from './manifest-words.ts';
import { kindAs } from './read-manifests.ts';
import { DEFAULT_NAMESPACE } from './targets.ts';
import type { Manifest } from './values.ts';

export function judgeSteps(scenario: Reading): void {
  checkCapacity(scenario.node, scenario.context);
  const rules = rulesIn(scenario.node, scenario.context);
  for (const written of scenario.context.written) judgeManifest(written, scenario.context, rules);
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
  const mode = memberAt(scenario, 'spec', 'rules')?.plain;
  return {
    names: namesFor(domain),
    gates: resolveGates(gatesOf(scenario)).gates,
    rules: RULES_MODES.find((each) => each === mode),
    now: SCENARIO_DEFAULTS.startAt,
  };
}

/** Returns the feature gates of a scenario; invalid ones are reported when they are read. */
export function gatesOf(document: Located | undefined): Readonly<Record<string, boolean>> {
  const gates: unknown = memberAt(document, 'spec', 'featureGates')?.plain;
  const given = typeof gates === 'object' && gates !== null ? Object.entries(gates) : [];
  return Object.fromEntries(given.filter(([name, on]) => GATES.has(name) && typeof on === 'boolean'));
}

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
  const member = own(COUNTS, kind);
  const at = member === undefined ? undefined : new Reading(node, path, context).member('spec', member);
  const asked = at?.plain;
  if (typeof asked !== 'number' || asked <= limit || asked > MOST_COUNTED || isThrottledFor(node, limit)) return;
  at?.refuse(
    `at most ${limit}, the objects that a run may hold (spec.limits.objects allows more; a pod takes about 20 KB of memory)`,
    String(asked),
  );
}

/** Whether a Job creates fewer pods: at most as many as its completions at a time, and none while it is suspended. */
function isThrottledFor(node: Located, limit: number): boolean {
  const completions = memberAt(node, 'spec', 'completions')?.plain;
  return (typeof completions === 'number' && completions <= limit) || memberAt(node, 'spec', 'suspend')?.plain === true;
}

export function checkTypes(schema: Schema, at: Reading): readonly Misfit[] {
  const misfits = findMisfits(schema, at.plain);
  for (const { steps, schema: wanted, value } of misfits) {
    const { node } = placed(at.node, steps);
    const path = steps.reduce<string>(joinPath, at.path);
    at.refuseAt(node, path, expectedBy(wanted, value), foundInstead(wanted, node), rewritten(wanted, node));
  }
  return misfits;
}

/** Reports every error that the server would find in an object alone. */
function judgeManifest(written: Written, context: CheckContext, rules: KindContext): void {
  const kind = kindAs(context, written.object.kind ?? '', written.object.apiVersion);
  if (kind === undefined) return;
  const whole = new Reading(written.node, written.path, context);
  const misfits = checkTypes(kind.schema, whole);
  const seen = new Set<string>();
  for (const { error, at: around } of judged(kind, written, misfits, rules)) {
    const at = { ...around, node: culprit(error, around.node) };
    const { expected, found, suggestion } = wordsOf(error, at);
    const place = at.key ?? positionOf(at.node);
    // One problem is enough for a single value, because the next often follows from it.
    const about = JSON.stringify([error.field, place, at.node.shape === 'scalar' ? '' : expected]);
    if (seen.has(about)) continue;
    seen.add(about);
    whole.refuseAt(place, stepsOf(error.field).reduce<string>(joinPath, whole.path), expected, found, suggestion);
  }
}

interface Judged {
  readonly error: FieldError;
  readonly at: Placed;
}

function judged(kind: Kind, { object, node, partial }: Written, misfits: readonly Misfit[], rules: KindContext): readonly Judged[] {
  const errors = staticErrors(kind, without(object, misfits), rules).map((error) => ({
    error,
    at: placed(node, stepsOf(error.field), error.value),
  }));
  if (misfits.length > 0) return errors.filter(({ error, at }) => at.exact && at.node.shape === 'scalar' && !touches(error.field, misfits));
  const lacks = errors.some(({ error }) => error.type === 'Required');
  // Errors about values that the file does not contain mostly follow from missing required fields.
  if (!partial) return errors.filter(({ error, at }) => at.exact || !lacks || error.type === 'Required');
  // Who leaves out what an object must have changes one that is there, but must name it.
  return errors.filter(({ error, at }) => (at.exact ? !lacks || isWrongAnywhere(error, at) : error.field === 'metadata.name'));
}

/** What an error says of another field: that one may be there already, and say otherwise. */
const OF_ANOTHER = /`| when | unless |may only|may not|cannot/;

/** Whatever stands around it. */
const isWrongAnywhere = ({ field, type, detail }: FieldError, { node }: Placed): boolean =>
  field.startsWith('metadata.') ||
  type === 'Required' ||
  (node.shape === 'scalar' && (type === 'Invalid' || type === 'NotSupported') && !OF_ANOTHER.test(detail));

/** Whether an error is about a value that could not be read, or about one around or below it. */
const touches = (field: string, misfits: readonly Misfit[]): boolean =>
  misfits.some(({ steps }) => {
    const path = steps.reduce<string>(joinPath, '');
    return field.startsWith(path) || path.startsWith(field);
  });

/** Returns the object without the values of wrong type, so that the others can be judged. */
function without(object: Manifest, misfits: readonly Misfit[]): Manifest {
  return misfits.reduce((rest, { steps }) => cut(rest, steps) as Manifest, object);
}

function cut(value: unknown, [step, ...below]: readonly (string | number)[]): unknown {
  if (step === undefined) return null;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? cut(item, below) : item));
  const members = Object.entries(value as object).map(([key, item]: [string, unknown]) => [key, key === step ? cut(item, below) : item]);
  return Object.fromEntries(members);
}
