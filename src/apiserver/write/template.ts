/**
 * A cache for objects made from one template. The first object takes the full path. For later ones, members shared with the first are not
 * decoded, admitted and validated again; only the members in which each object may differ are. An entry is valid as long as the kinds that
 * admission reads do not change, which the store counts. An object that does not fit an entry takes the full path, so refusals are the
 * same.
 */
import { memo } from '../../engine/index.ts';
import { type ApiObject, type Kind, type ObjectInput, type ObjectMeta, partsOf, type TemplateRules } from '../machinery/index.ts';
import { deepFreeze } from '../../schema/shape/index.ts';
import type { ApiRequest, ApiResponse, Resource } from '../request/index.ts';
import type { Admission, Scope } from '../admission/index.ts';
import type { Store, Tally } from '../store/index.ts';
import type { Change } from './write.ts';
import { decodedOrNothing } from './changed.ts';
import { tracks } from './stages.ts';

type Members = Readonly<Record<string, unknown>>;
type CreateRequest = Extract<ApiRequest, { verb: 'create' }>;

/** The result of the first object of a template. */
interface TemplateEntry {
  readonly namespace: string | undefined;
  /** The number of changes in the kinds that admission reads, at the time of the first object. */
  readonly facts: number;
  /** The spec as it was sent, and the object as it was stored. */
  readonly sent: Members;
  readonly made: ApiObject;
  /** Annotations that admission added. */
  readonly reported: Readonly<Record<string, string>> | undefined;
  /** The last metadata that was sent, which the next object may share, and its decoded form. */
  seen: { readonly sent: unknown; readonly metadata: ObjectMeta };
}

export interface TemplateCache {
  readonly rules: TemplateRules;
  readonly facts: readonly Readonly<Tally>[];
  readonly templates: WeakMap<object, TemplateEntry>;
}

/** Returns a cache for the kind; undefined if the kind has no template rules, or if admission must see each object. */
export function templateCacheOf(store: Store, admission: Admission, kind: Kind): TemplateCache | undefined {
  const reads = kind.templateRules === undefined ? undefined : admission.reads(kind.kind);
  if (kind.templateRules === undefined || reads === undefined) return undefined;
  return { rules: kind.templateRules, facts: reads.map((one) => store.tally(one)), templates: memo(new WeakMap()) };
}

const factsNow = (cache: TemplateCache): number => {
  let sum = 0;
  for (let at = 0; at < cache.facts.length; at++) sum += cache.facts[at]?.changes ?? 0;
  return sum;
};

/** Returns the spec of a request that only creates an object; undefined for a request with options. */
function specOf(scope: Scope, resource: Resource, request: CreateRequest): Members | undefined {
  const { body, dryRun, fieldManager, fieldValidation, rawBody } = request;
  if (dryRun !== undefined || fieldManager !== undefined || fieldValidation !== undefined || rawBody !== undefined) return undefined;
  if (tracks(scope, request, undefined)) return undefined;
  if (typeof body !== 'object' || body === null) return undefined;
  for (const name in body) if (name !== 'kind' && name !== 'apiVersion' && name !== 'metadata' && name !== 'spec') return undefined;
  if (body.kind !== resource.kind.kind || body.apiVersion !== resource.apiVersion) return undefined;
  const spec = body['spec'];
  return typeof spec === 'object' && spec !== null ? (spec as Members) : undefined;
}

/** An object of a cached template, before it has a name and a uid. */
export interface TemplateInstance extends Change {
  readonly namespace: string | undefined;
}

/** The parts in which an object may differ from the first one of its template, apart from members of its spec that rules do not read. */
const INDIVIDUAL = partsOf('identity', 'labels', 'ownerReferences', 'finalizers');

/** A resource whose objects may be made from templates. */
type Templated = Resource & { readonly templates: TemplateCache | undefined };

export interface TemplateUse {
  readonly cache: TemplateCache;
  readonly request: CreateRequest;
  readonly spec: Members;
  readonly templateKey: object;
}

/** Returns the template of the object in a request; undefined: it has none. */
export function templateOf(scope: Scope, resource: Templated, request: CreateRequest): TemplateUse | undefined {
  const cache = resource.templates;
  const spec = cache === undefined ? undefined : specOf(scope, resource, request);
  const templateKey = spec === undefined ? undefined : cache?.rules.templateKey(spec);
  if (cache === undefined || spec === undefined || templateKey === undefined) return undefined;
  return { cache, request, spec, templateKey };
}

/** Returns the object made from its cached template; undefined where the full path is needed. */
export function instanceOf(resource: Resource, { cache, request, spec, templateKey }: TemplateUse): TemplateInstance | undefined {
  const entry = cache.templates.get(templateKey);
  if (entry === undefined || entry.facts !== factsNow(cache)) return undefined;
  const metadata = metadataOf(resource, cache.rules, entry, request.body);
  if (metadata === undefined || (metadata.namespace ?? entry.namespace) !== entry.namespace) return undefined;
  if ((request.namespace ?? metadata.namespace) !== entry.namespace) return undefined;
  const own = spec === entry.sent ? entry.made['spec'] : specLike(cache.rules, entry, spec);
  if (own === undefined) return undefined;
  const { made, namespace, reported } = entry;
  const all = reported === undefined ? metadata : { ...metadata, annotations: { ...metadata.annotations, ...reported } };
  return { object: { ...made, metadata: all, spec: own }, changed: INDIVIDUAL, isFresh: true, namespace };
}

/** Returns the template's spec with the members in which this object differs; undefined if it differs in any other member. */
function specLike({ individual, accepted }: TemplateRules, { sent, made }: TemplateEntry, spec: Members): Members | undefined {
  const known = made['spec'] as Members;
  let result: Record<string, unknown> | undefined;
  let left = 0;
  for (const _ in sent) left++;
  for (const name in spec) {
    if (!Object.hasOwn(sent, name)) return undefined;
    left--;
    if (spec[name] === sent[name] && (typeof sent[name] !== 'object' || Object.isFrozen(sent[name]))) continue;
    const value = individual.includes(name) ? accepted(name, spec[name], sent[name], known[name]) : undefined;
    if (value === undefined) return undefined;
    (result ??= { ...known })[name] = value;
  }
  return left === 0 ? (result ?? known) : undefined;
}

/** Returns the decoded metadata; undefined if it has members that template rules cannot templateKey. */
function metadataOf(resource: Resource, rules: TemplateRules, entry: TemplateEntry, body: ObjectInput): ObjectMeta | undefined {
  if (entry.seen.sent === body.metadata) return entry.seen.metadata;
  const metadata = plainMetadata(resource, rules, body);
  if (metadata !== undefined && Object.isFrozen(body.metadata)) entry.seen = { sent: body.metadata, metadata };
  return metadata;
}

const OTHERS = [
  'resourceVersion',
  'uid',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
  'clusterName',
];

function plainMetadata({ kind }: Resource, rules: TemplateRules, body: ObjectInput): ObjectMeta | undefined {
  const field = kind.schema.fields['metadata'];
  if (field === undefined) return undefined;
  const metadata = deepFreeze(decodedOrNothing(field, body.metadata)) as ObjectMeta | undefined;
  if (metadata === undefined || OTHERS.some((name) => name in metadata) || (metadata.ownerReferences ?? []).length > 1) return undefined;
  return metadata.annotations === undefined || rules.areInert(metadata.annotations) ? metadata : undefined;
}

/** Caches the result of the first object of a template. */
export function rememberTemplate(resource: Resource, { cache, request, spec, templateKey }: TemplateUse, response: ApiResponse): void {
  if (!response.ok || !('object' in response) || response.warnings !== undefined) return;
  for (const name in spec) {
    const value = spec[name];
    if (typeof value === 'object' && !Object.isFrozen(value) && !cache.rules.individual.includes(name)) return;
  }
  const metadata = plainMetadata(resource, cache.rules, request.body);
  if (metadata === undefined) return;
  const { object } = response;
  const reported = Object.fromEntries(
    Object.entries(object.metadata.annotations ?? {}).filter(([key, value]) => metadata.annotations?.[key] !== value),
  );
  cache.templates.set(templateKey, {
    namespace: object.metadata.namespace,
    facts: factsNow(cache),
    sent: Object.isFrozen(spec) ? spec : { ...spec },
    made: object,
    reported: Object.keys(reported).length === 0 ? undefined : reported,
    seen: { sent: Object.isFrozen(request.body.metadata) ? request.body.metadata : undefined, metadata },
  });
}
