/**
 * Objects made of one template: "this template, these differences". The first goes the long way; of those that share its template the
 * members that are the very same are not decoded, admitted and judged again, and what each has of its own is judged by itself. A family
 * holds as long as nothing changes in the kinds that admission reads, which the store counts. Whatever does not fit goes the long way, so
 * refusals are the same.
 */
import type { ApiObject, TemplateRules, ObjectInput, ObjectMeta } from '../machinery/index.ts';
import { decodeLasting, DecodeError, deepFreeze } from '../../schema/shape/index.ts';
import type { ApiRequest, ApiResponse, Resource } from '../request/index.ts';
import type { Admission, Scope } from '../admission/index.ts';
import type { Store, Tally } from '../store/index.ts';

type Members = Readonly<Record<string, unknown>>;
type CreateRequest = Extract<ApiRequest, { verb: 'create' }>;

/** What came of the first. */
interface Family {
  readonly namespace: string | undefined;
  /** The changes of the kinds that admission read, when it did. */
  readonly facts: number;
  /** The specification as it was sent, and the object as it was stored. */
  readonly sent: Members;
  readonly made: ApiObject;
  /** Annotations that admission added. */
  readonly reported: Readonly<Record<string, string>> | undefined;
  /** Metadata as it was sent last, which the next may share, and what it was decoded to. */
  seen: { readonly sent: unknown; readonly metadata: ObjectMeta };
}

/** The families of one kind in one store. */
export interface TemplateCache {
  readonly rules: TemplateRules;
  readonly facts: readonly Readonly<Tally>[];
  readonly families: WeakMap<object, Family>;
}

/** A book for the kind, where it has families and admission has its say by family. */
export function templateCacheOf(store: Store, admission: Admission, { kind }: Resource): TemplateCache | undefined {
  const reads = kind.family === undefined ? undefined : admission.reads(kind.kind);
  if (kind.family === undefined || reads === undefined) return undefined;
  return { rules: kind.family, facts: reads.map((one) => store.tally(one)), families: new WeakMap() };
}

const factsNow = (book: TemplateCache): number => {
  let sum = 0;
  for (let at = 0; at < book.facts.length; at++) sum += book.facts[at]?.changes ?? 0;
  return sum;
};

/** Requests that ask for nothing but a new object; the specification of theirs. */
function specOf(scope: Scope, resource: Resource, request: CreateRequest): Members | undefined {
  const { body, dryRun, fieldManager, fieldValidation, rawBody } = request;
  if (dryRun !== undefined || fieldManager !== undefined || fieldValidation !== undefined || rawBody !== undefined) return undefined;
  if (scope.trackFields !== undefined && scope.trackFields(request)) return undefined;
  if (typeof body !== 'object' || body === null) return undefined;
  for (const name in body) if (name !== 'kind' && name !== 'apiVersion' && name !== 'metadata' && name !== 'spec') return undefined;
  if (body.kind !== resource.kind.kind || body.apiVersion !== resource.apiVersion) return undefined;
  const spec = body['spec'];
  return typeof spec === 'object' && spec !== null ? (spec as Members) : undefined;
}

/** An object of a known family before it has a name and a uid: what is left to do is what each object needs done. */
export interface Member {
  /** The family's first; what follows differs. */
  readonly made: ApiObject;
  readonly namespace: string | undefined;
  readonly metadata: ObjectMeta;
  readonly spec: unknown;
}

/** What a request's object would be known by. */
export function handleOf(scope: Scope, resource: Resource, book: TemplateCache, request: CreateRequest): object | undefined {
  const spec = specOf(scope, resource, request);
  return spec === undefined ? undefined : book.rules.handle(spec);
}

/** The object as its family has it; undefined where it has to go the long way. */
export function memberOf(scope: Scope, resource: Resource, book: TemplateCache, request: CreateRequest): Member | undefined {
  const spec = specOf(scope, resource, request);
  const handle = spec === undefined ? undefined : book.rules.handle(spec);
  const family = handle === undefined ? undefined : book.families.get(handle);
  if (spec === undefined || family === undefined || family.facts !== factsNow(book)) return undefined;
  const metadata = metadataOf(resource, book.rules, family, request.body);
  if (metadata === undefined || (metadata.namespace ?? family.namespace) !== family.namespace) return undefined;
  if ((request.namespace ?? metadata.namespace) !== family.namespace) return undefined;
  const own = spec === family.sent ? family.made['spec'] : specLike(book.rules, family, spec);
  if (own === undefined) return undefined;
  const { made, namespace, reported } = family;
  return {
    made,
    namespace,
    metadata: reported === undefined ? metadata : { ...metadata, annotations: { ...metadata.annotations, ...reported } },
    spec: own,
  };
}

/** The family's specification with what this one has of its own; undefined where it differs in more than it may. */
function specLike({ own, accepted }: TemplateRules, { sent, made }: Family, spec: Members): Members | undefined {
  const known = made['spec'] as Members;
  let result: Record<string, unknown> | undefined;
  let left = 0;
  for (const _ in sent) left++;
  for (const name in spec) {
    if (!Object.hasOwn(sent, name)) return undefined;
    left--;
    if (spec[name] === sent[name] && (typeof sent[name] !== 'object' || Object.isFrozen(sent[name]))) continue;
    const value = own.includes(name) ? accepted(name, spec[name], sent[name], known[name]) : undefined;
    if (value === undefined) return undefined;
    (result ??= { ...known })[name] = value;
  }
  return left === 0 ? (result ?? known) : undefined;
}

/** Metadata that says nothing that rules about the family would want to know. */
function metadataOf(resource: Resource, rules: TemplateRules, family: Family, body: ObjectInput): ObjectMeta | undefined {
  if (family.seen.sent === body.metadata) return family.seen.metadata;
  const metadata = plainMetadata(resource, rules, body);
  if (metadata !== undefined && Object.isFrozen(body.metadata)) family.seen = { sent: body.metadata, metadata };
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
  try {
    const metadata = deepFreeze(decodeLasting(field, body.metadata)) as ObjectMeta;
    if (OTHERS.some((name) => name in metadata) || (metadata.ownerReferences ?? []).length > 1) return undefined;
    return metadata.annotations === undefined || rules.areSilent(metadata.annotations) ? metadata : undefined;
  } catch (thrown) {
    if (thrown instanceof DecodeError) return undefined;
    throw thrown;
  }
}

/** Remembers what came of the first of a family. */
export function rememberTemplate(
  scope: Scope,
  resource: Resource,
  book: TemplateCache,
  request: CreateRequest,
  response: ApiResponse,
): void {
  if (!response.ok || !('object' in response) || response.warnings !== undefined) return;
  const spec = specOf(scope, resource, request);
  const handle = spec === undefined ? undefined : book.rules.handle(spec);
  if (spec === undefined || handle === undefined) return;
  for (const name in spec) {
    const value = spec[name];
    if (typeof value === 'object' && !Object.isFrozen(value) && !book.rules.own.includes(name)) return;
  }
  const metadata = plainMetadata(resource, book.rules, request.body);
  if (metadata === undefined) return;
  const { object } = response;
  const reported = Object.fromEntries(
    Object.entries(object.metadata.annotations ?? {}).filter(([key, value]) => metadata.annotations?.[key] !== value),
  );
  book.families.set(handle, {
    namespace: object.metadata.namespace,
    facts: factsNow(book),
    sent: Object.isFrozen(spec) ? spec : { ...spec },
    made: object,
    reported: Object.keys(reported).length === 0 ? undefined : reported,
    seen: { sent: Object.isFrozen(request.body.metadata) ? request.body.metadata : undefined, metadata },
  });
}
