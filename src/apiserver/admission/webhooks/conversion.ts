/**
 * Versions of custom resources whose definition has strategy Webhook: its webhook converts where webhooks are answered, and else objects are
 * converted as by strategy None. Simplified: each object is asked about by itself, not a whole list, under its own uid. Models: v1.24
 * apiextensions-apiserver pkg/apiserver/conversion webhook_converter.go.
 */
import { perObject } from '../../../engine/index.ts';
import { decodeLasting, DecodeError, deepFreeze } from '../../../schema/shape/index.ts';
import { membersOf, present } from '../../../schema/values/index.ts';
import type { CustomResourceDefinition } from '../../kinds/index.ts';
import type { ApiObject, Kind, Names } from '../../machinery/index.ts';
import { internal, type Refusal } from '../../request/index.ts';
import type { AskWebhook, Scope } from '../plugin.ts';
import { versionFor } from './review.ts';

type Members = Readonly<Record<string, unknown>>;

/** Upstream's limit for a conversion, in seconds. */
const TIMEOUT_SECONDS = 30;

/**
 * Returns an object as it is in the version of a kind.
 *
 * @throws {Refusal} where the webhook of its definition does not convert it.
 */
export function inVersionOf({ webhooks, names }: Pick<Scope, 'webhooks' | 'names'>, object: ApiObject, kind: Kind): ApiObject {
  const { conversion } = (kind.definition as Partial<CustomResourceDefinition> | undefined)?.spec ?? {};
  if (conversion?.strategy !== 'Webhook' || webhooks === undefined) return converted(object, kind);
  return converted(object, kind, (apiVersion) => byWebhook({ webhooks, names }, object, kind, apiVersion, conversion.webhook ?? {}));
}

type Webhook = NonNullable<NonNullable<CustomResourceDefinition['spec']['conversion']>['webhook']>;

function byWebhook(
  { webhooks, names }: { readonly webhooks: AskWebhook; readonly names: Names },
  object: ApiObject,
  kind: Kind,
  desiredAPIVersion: string,
  { clientConfig, conversionReviewVersions }: Webhook,
): ApiObject {
  const shownKind = kind.shownAs ?? object.kind;
  const failed = (why: string): Refusal => internal(`conversion webhook for ${object.apiVersion}, Kind=${shownKind} failed: ${why}`);
  const apiVersion = `${names.group('apiextensions')}/${versionFor(conversionReviewVersions)}`;
  const { uid } = object.metadata;
  const request = { uid, desiredAPIVersion, objects: [{ ...object, kind: shownKind }] };
  const name = String(membersOf(kind.definition?.['metadata'])['name']);
  const webhook = { timeoutSeconds: TIMEOUT_SECONDS, ...(clientConfig === undefined ? {} : { clientConfig }) };
  const answer = webhooks({ name, webhook, review: { kind: 'ConversionReview', apiVersion, request } });
  if ('failure' in answer) throw failed(answer.failure);
  const found = objectsIn(answer.review, apiVersion, uid);
  if (typeof found === 'string') throw failed(found);
  const returned = `conversion webhook for ${object.apiVersion}, Kind=${shownKind} returned`;
  if (found.length !== 1) throw internal(`${returned} ${found.length} objects, expected 1`);
  const made = membersOf(found[0]);
  const wrong = mismatch(object, made, shownKind, desiredAPIVersion);
  if (wrong !== undefined) throw internal(`${returned} invalid converted object at index 0: ${wrong}`);
  return restored(object, made, kind, desiredAPIVersion, (why) => internal(`${returned} invalid object at index 0: ${why}`));
}

/** The objects of an answer; a text: why there are none. */
function objectsIn(review: unknown, apiVersion: string, uid: string): readonly unknown[] | string {
  const { kind, apiVersion: of, response } = membersOf(review);
  if (kind !== 'ConversionReview' || of !== apiVersion)
    return `expected webhook response of ${apiVersion}, Kind=ConversionReview, got ${String(of ?? '')}, Kind=${String(kind ?? '')}`;
  if (membersOf(response) !== response) return 'no response provided';
  const { uid: answered, result, convertedObjects } = membersOf(response);
  if (answered !== uid) return `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(answered ?? '')}`;
  const { status = '', message, reason } = membersOf(result);
  if (status !== 'Success') {
    const said = [message, reason].find((each) => typeof each === 'string' && each !== '');
    return said === undefined ? `response.result.status was '${String(status)}', not 'Success'` : String(said);
  }
  return Array.isArray(convertedObjects) ? (convertedObjects as readonly unknown[]) : [];
}

/** What a webhook must not change. Models: validateConvertedObject. */
function mismatch({ metadata }: ApiObject, made: Members, kind: string, apiVersion: string): string | undefined {
  const { name, namespace = '', uid } = membersOf(made['metadata']);
  const same = (what: string, expected: string, found: unknown): string | undefined =>
    expected === found ? undefined : `must have the same ${what}: ${expected} != ${String(found ?? '')}`;
  return (
    same('kind', kind, made['kind']) ??
    (made['apiVersion'] === apiVersion ? undefined : `invalid apiVersion ${String(made['apiVersion'] ?? '')}, expected ${apiVersion}`) ??
    same('name', metadata.name, name) ??
    same('namespace', metadata.namespace ?? '', namespace) ??
    same('UID', metadata.uid, uid)
  );
}

/** The converted object, pruned and defaulted; of the metadata a webhook may change labels and annotations. Models: restoreObjectMeta. */
function restored(object: ApiObject, made: Members, { schema }: Kind, apiVersion: string, refused: (why: string) => Refusal): ApiObject {
  const { metadata, ...rest } = made;
  const { labels, annotations } = membersOf(metadata);
  const { labels: _, annotations: __, ...kept } = object.metadata;
  try {
    const decoded = decodeLasting(schema, { ...rest, metadata: present({ labels, annotations }) }) as ApiObject;
    const marks = present({ labels: decoded.metadata.labels, annotations: decoded.metadata.annotations });
    return deepFreeze({ ...decoded, apiVersion, kind: object.kind, metadata: { ...kept, ...marks } });
  } catch (error) {
    if (error instanceof DecodeError) throw refused(error.message);
    throw error;
  }
}

// As strategy None converts: what the schema of the version does not have is dropped, its defaults are set, and nothing else changes but
// apiVersion. Models: nop_converter.go, customresource_handler.go schemaCoercingConverter.

/** What objects are in other versions: all watchers of a change get the same object. */
const made = perObject((_object: ApiObject) => new Map<Kind, ApiObject>());

/** Returns an object as it is in the version of a kind; itself where it is in that version. `make`: converts it; absent: strategy None. */
function converted(object: ApiObject, kind: Kind, make?: (apiVersion: string) => ApiObject): ApiObject {
  const [group = ''] = object.apiVersion.split('/');
  const apiVersion = `${group}/${kind.version}`;
  if (object.apiVersion === apiVersion) return object;
  const known = made(object);
  let other = known.get(kind);
  if (other === undefined) known.set(kind, (other = make?.(apiVersion) ?? deepFreeze(inShape(object, kind, apiVersion))));
  return other;
}

function inShape(object: ApiObject, { schema }: Kind, apiVersion: string): ApiObject {
  const { metadata, ...rest } = object;
  return { ...(decodeLasting(schema, { ...rest, metadata: {} }) as ApiObject), apiVersion, kind: object.kind, metadata };
}
