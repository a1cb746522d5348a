/**
 * What is known of writes without a server: the plans of a kind, as `orchsim kinds KIND --plan` prints them, and the errors of a create that
 * do not depend on stored objects. Defaults and validation are those of `writes.ts`. Admission is left out, because it depends on stored
 * objects; members that it may set are not reported as missing.
 */
import { createDraft, finishDraft, hooksOf, partNames, rulesOf } from '../machinery/index.ts';
import type { ApiObject, FieldError, Kind, KindContext, Names, ObjectMeta, Rule } from '../machinery/index.ts';
import { decode } from '../../schema/shape/index.ts';
import { formatTime } from '../../schema/values/index.ts';
import { createAdmission, pluginsFor } from '../admission/index.ts';
import { fillForCreate, resourceOf } from '../request/index.ts';
import { brokenRules, plansOf } from '../write/index.ts';

const DRAWN = 'drawn';
const UID = '00000000-0000-4000-8000-000000000000';

/** Returns the errors of a document whose values all fit the schema of its kind. */
export function staticErrors(kind: Kind, body: object, context: KindContext): readonly FieldError[] {
  const read = decode(kind.schema, body) as ApiObject;
  const metadata: Partial<ObjectMeta> = read.metadata ?? {};
  const { name: given, generateName } = metadata;
  const isDrawn = (given ?? '') === '' && (generateName ?? '') !== '';
  const { apiVersion } = resourceOf(kind, context.names);
  const draft = createDraft({ ...read, apiVersion, kind: kind.kind, metadata: withOwners(metadata) });
  for (const hook of hooksOf(kind.applyDefaults)) hook.run(draft, context);
  const admission = pluginsFor(kind.kind);
  for (const plugin of admission) plugin.mutateWithoutStore?.(draft);
  fillForCreate(draft.metadata, {
    name: isDrawn ? DRAWN : (given ?? ''),
    namespace: kind.namespaced ? (metadata.namespace ?? 'default') : undefined,
    uid: UID,
    resourceVersion: undefined,
    creationTimestamp: formatTime(context.now),
    generation: 1,
    managedFields: undefined,
  });
  for (const hook of hooksOf(kind.prepareForCreate)) hook.run(draft, context);
  const object = finishDraft(draft);
  const filled = new Set(admission.flatMap(({ fills = [] }) => fills));
  const errors = kind
    .validate(object, context)
    .filter((error) => !(isDrawn && error.field === 'metadata.name') && !mayBeFilled(error, filled));
  if (kind.specification === undefined || rulesOf(context) !== 'specification') return errors;
  return [...errors, ...kind.specification.flatMap((rule) => brokenAlone(rule, object, body, context))];
}

/** Whether an error is about a missing member that admission may set. */
const mayBeFilled = ({ type, field }: FieldError, filled: ReadonlySet<string>): boolean =>
  (type === 'Required' || type === 'Forbidden') && field.split(/[.[\]]/).some((member) => filled.has(member));

/** A rule that looks up other objects is skipped. */
function brokenAlone(rule: Rule, object: ApiObject, sent: unknown, context: KindContext): readonly FieldError[] {
  const asked = new Set<string>();
  const find = (kind: string): undefined => void asked.add(kind);
  const broken = brokenRules([rule], { object, old: undefined, sent, subresource: undefined }, { find, ...context });
  return asked.size > 0 ? [] : broken.map(({ error }) => error);
}

/** Any uid will do: that of an owner is mostly known only at runtime. */
const withOwners = (metadata: Partial<ObjectMeta>): ObjectMeta => {
  const owners = metadata.ownerReferences?.map((owner) => ({ ...owner, uid: UID }));
  return { ...metadata, ...(owners === undefined ? {} : { ownerReferences: owners }) } as ObjectMeta;
};

/** Returns the stages of each write of a kind, in order, with what they read: one is skipped where a write changes none of it. */
export function plansFor(kind: Kind, names: Names) {
  const admission = createAdmission();
  const resource = resourceOf(kind, names);
  const plans = plansOf(kind, (verb, subresource) => admission.pluginsFor({ verb, resource, subresource }));
  return new Map([...plans].map(([verb, plan]) => [verb, plan.map(({ name, reads }) => ({ name, reads: partNames(reads) }))]));
}
