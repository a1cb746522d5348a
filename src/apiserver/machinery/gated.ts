/**
 * Gated fields, those with the facet `since`: they are dropped on writes while their gate is off, unless the stored object has them.
 * Models: v1.24 dropDisabledFields of the strategies, pkg/api/pod/util.go.
 */
import { memo } from '../../engine/index.ts';
import type { Fieldset, Gated, ObjectShape, Schema } from '../../schema/shape/index.ts';
import { type ApiObject, type FeatureGates, GATES, type KindContext, type ObjectMeta } from '../objects/index.ts';
import { currentOf, type Draft, type Part, partNames, partOf } from './hooks.ts';
import { rulesOf } from './kind.ts';

/** A gated field below a struct, with the steps to it: `volumes[]`, `csi`. */
interface GatedField extends Gated {
  readonly steps: readonly string[];
}

const known = memo(new WeakMap<Fieldset, readonly GatedField[]>());

/** Returns the gated fields below a struct. Structs that many kinds share are searched once. */
function gatedBelow({ fields }: ObjectShape): readonly GatedField[] {
  let found = known.get(fields);
  if (found === undefined) {
    // A struct may contain itself.
    known.set(fields, []);
    found = Object.entries(fields).flatMap(([name, schema]) => gatedAt(name, schema));
    known.set(fields, found);
  }
  return found;
}

function gatedAt(name: string, schema: Schema): readonly GatedField[] {
  const { since } = schema;
  const own = since === undefined ? [] : [{ ...(typeof since === 'string' ? { gate: since } : since), steps: [name] }];
  const [step, below] = schema.type === 'list' ? [`${name}[]`, schema.items] : [name, schema];
  return below.type === 'object' ? [...own, ...gatedBelow(below).map((field) => ({ ...field, steps: [step, ...field.steps] }))] : own;
}

type Holder = Record<string, unknown>;
/** Visits what may hold the field of a path, until a visit returns true. Called at every write of a pod: it allocates nothing. */
type Walk = (value: unknown, visit: (holder: Holder) => boolean) => boolean;

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Holder)[name] : undefined;

function walkTo([step = '', ...rest]: readonly string[]): Walk {
  // The walk runs before decoding, so a value may not fit.
  if (rest.length === 0) return (value, visit) => typeof value === 'object' && value !== null && visit(value as Holder);
  const below = walkTo(rest);
  const name = step.replace('[]', '');
  if (name === step) return (value, visit) => below(memberOf(value, name), visit);
  return (value, visit) => {
    const list = memberOf(value, name);
    if (Array.isArray(list)) for (let at = 0; at < list.length; at++) if (below(list[at], visit)) return true;
    return false;
  };
}

/** The use of a gate in a part of an object. */
type Use = ReturnType<typeof useOf>;

function useOf(gated: Gated, paths: readonly (readonly string[])[]) {
  const { becomes } = gated;
  const fields = paths.map((steps) => {
    const leaf = steps.at(-1) ?? '';
    const isUsed = (holder: Holder): boolean => holder[leaf] !== undefined && holder[leaf] !== becomes;
    const drop = (holder: Holder): false => {
      if (becomes === undefined) delete holder[leaf];
      else if (holder[leaf] !== undefined) holder[leaf] = becomes;
      return false;
    };
    return { walk: walkTo(steps), isUsed, drop };
  });
  return {
    gated,
    isUsed(part: unknown): boolean {
      for (const { walk, isUsed } of fields) if (walk(part, isUsed)) return true;
      return false;
    },
    drop(part: unknown): void {
      for (const { walk, drop } of fields) walk(part, drop);
    },
  };
}

const isOn = (gates: FeatureGates, gate: string): boolean => gates[gate] ?? GATES.get(gate)?.default ?? false;

/** A part of an object with gated fields: its specification, its status, the specification of pods in it. */
interface GatedPart {
  readonly path: readonly string[];
  /** The members that hold them: reading the whole changed draft would copy it. */
  readonly roots: readonly string[];
  readonly uses: readonly Use[];
}

const PARTS: ReadonlySet<string> = new Set(['spec', 'status']);

/** The number of steps to the innermost specification or status, before any list. */
function lengthOfPart(steps: readonly string[]): number {
  const list = steps.findIndex((step) => step.endsWith('[]'));
  return steps.slice(0, list < 0 ? -1 : list).findLastIndex((step) => PARTS.has(step)) + 1;
}

const partPath = (steps: readonly string[]): string => steps.slice(0, lengthOfPart(steps)).join('.');
const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

const partsWith = (fields: readonly GatedField[]): readonly GatedPart[] =>
  distinct(fields.map(({ steps }) => partPath(steps))).map((name) => {
    const path = name === '' ? [] : name.split('.');
    const all = fields.flatMap(({ steps, ...gated }) => (partPath(steps) === name ? [{ gated, steps: steps.slice(path.length) }] : []));
    const byGate = new Map<string, Gated>(all.toReversed().map(({ gated }) => [gated.gate, gated]));
    return {
      path,
      roots: distinct(all.map(({ steps }) => (steps[0] ?? '').replace('[]', ''))),
      uses: distinct(all.map(({ gated }) => gated.gate)).map((gate) =>
        useOf(
          byGate.get(gate) ?? { gate },
          all.flatMap(({ gated, steps }) => (gated.gate === gate ? [steps] : [])),
        ),
      ),
    };
  });

const at = (object: unknown, path: readonly string[]): unknown => {
  let value = object;
  for (const name of path) value = memberOf(value, name);
  return value;
};

/** Whether the field is dropped from an object that does not have it yet. */
const isOff = ({ gate, ruled }: Gated, context: KindContext): boolean =>
  !isOn(context.gates, gate) && (ruled !== true || rulesOf(context) === 'specification');

function dropFrom({ path, roots, uses }: GatedPart, draft: Draft, old: ApiObject | undefined, context: KindContext): void {
  const part = at(draft, path) as Holder;
  let now: Holder | undefined;
  for (const { gated, isUsed, drop } of uses) {
    if (!isOff(gated, context)) continue;
    now ??= Object.fromEntries(roots.map((root) => [root, currentOf(part[root])]));
    if (isUsed(now) && (old === undefined || !isUsed(at(old, path)))) drop(part);
  }
}

type Annotated = { readonly annotations?: ObjectMeta['annotations'] } | undefined;

/** Profiles of containers are annotations in v1.24; the domain ends their prefix. */
const PROFILE = 'container.apparmor.security.beta.';
const hasProfiles = (metadata: unknown): boolean => {
  for (const key in (metadata as Annotated)?.annotations) if (key.startsWith(PROFILE)) return true;
  return false;
};

/** Drops the profiles of a pod, or of the template at the path. */
function dropProfiles(path: readonly string[], draft: Draft, old: ApiObject | undefined): void {
  const metadata = at(draft, path) as { annotations?: ObjectMeta['annotations'] };
  const annotations = currentOf<ObjectMeta['annotations']>(metadata.annotations);
  if (hasProfiles({ annotations }) && !hasProfiles(at(old, path)))
    metadata.annotations = Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith(PROFILE)));
}

type Drop = (draft: Draft, old: ApiObject | undefined, context: KindContext) => void;

/** Returns a hook that drops gated fields. */
function hookOf<Run>(fields: readonly GatedField[], runOf: (drop: Drop) => Run) {
  if (fields.length === 0) return undefined;
  const parts = partsWith(fields);
  // The metadata of pods, and of templates of them.
  const profiled = parts.flatMap(({ path, roots }) => (roots.includes('containers') ? [[...path.slice(0, -1), 'metadata']] : []));
  const read = parts.flatMap(({ path, roots }) => partNames(partOf(path[0] ?? roots[0] ?? ''))) as Part[];
  return {
    reads: distinct([...read, ...(profiled.some(({ length }) => length === 1) ? (['annotations'] as const) : [])]),
    concerns(object: ApiObject, context: KindContext): boolean {
      for (const { path, uses } of parts)
        for (const { gated, isUsed } of uses) if (isOff(gated, context) && isUsed(at(object, path))) return true;
      for (const path of profiled) if (hasProfiles(at(object, path))) return true;
      return false;
    },
    run: runOf((draft, old, context) => {
      for (const part of parts) dropFrom(part, draft, old, context);
      if (!isOn(context.gates, 'ProfileConfinement')) for (const path of profiled) dropProfiles(path, draft, old);
    }),
  };
}

const isOfStatus = ({ steps }: GatedField): boolean => steps[0] === 'status';

/** Returns the hooks that drop the gated fields of a kind; undefined: it has none. */
export function gatedHooks(schema: ObjectShape) {
  const all = gatedBelow(schema);
  const ofUpdates = (fields: readonly GatedField[]) =>
    hookOf(fields, (drop) => (draft: Draft, old: ApiObject, context: KindContext) => {
      drop(draft, old, context);
    });
  return {
    create: hookOf(all, (drop) => (draft: Draft, context: KindContext) => {
      drop(draft, undefined, context);
    }),
    update: ofUpdates(all.filter((field) => !isOfStatus(field))),
    updateStatus: ofUpdates(all.filter(isOfStatus)),
  };
}
