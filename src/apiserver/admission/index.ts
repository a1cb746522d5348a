/** Admission: changes and refusals of a write beyond the rules of its kind. Plug-ins that change objects run first, quota last. */
import type { ApiObject } from '../machinery/index.ts';
import type { Resource } from '../request/index.ts';
import type { Scope } from './plugin.ts';
import { defaultIngressClass, defaultStorageClass } from './default-classes.ts';
import { certificateRequester, certificateSigning } from './certificates.ts';
import { escalation } from './escalation.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle, podSecurity } from './namespaces.ts';
import { serviceAddresses } from './services/index.ts';
import type { AdmissionPlugin, Attributes } from './plugin.ts';
import { resourceQuota } from './resource-quota.ts';
import { claimResize, objectInUse } from './storage.ts';
import { defaultTolerations, nodeTaint, priority, runtimeClass } from './scheduling.ts';
export { reviewedForm } from './webhooks/index.ts';
export type { Form } from './webhooks/review.ts';
import { unaskedWebhooks, webhookPlugins } from './webhooks/index.ts';

export { inVersionOf } from './webhooks/conversion.ts';
export type { AskWebhook, Scope, ServerOptions, WebhookCall } from './plugin.ts';
export type { AdmissionPlugin, Attributes } from './plugin.ts';

export const plugins: readonly AdmissionPlugin[] = [
  namespaceLifecycle,
  limitRanger,
  nodeTaint,
  priority,
  defaultTolerations,
  defaultStorageClass,
  objectInUse,
  runtimeClass,
  defaultIngressClass,
  serviceAddresses,
  podSecurity,
  escalation,
  certificateRequester,
  certificateSigning,
  claimResize,
  unaskedWebhooks,
  resourceQuota,
];

/** With those that ask webhooks, before the quota. */
export const withWebhooks: readonly AdmissionPlugin[] = [...plugins.slice(0, -1), ...webhookPlugins, resourceQuota];

export const pluginsFor = (kind: string): readonly AdmissionPlugin[] =>
  plugins.filter(({ verbs, kinds }) => verbs.includes('create') && (kinds === undefined || kinds.includes(kind)));

/** The attributes that decide which plug-ins handle a write. */
type Which = Pick<Attributes, 'verb' | 'resource' | 'subresource'>;

/** The plug-ins that handle a write, in order: those that may change the object, and those that only refuse. */
export interface Admitting {
  readonly mutating: readonly AdmissionPlugin[];
  readonly validating: readonly AdmissionPlugin[];
}

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission(registered: readonly AdmissionPlugin[] = plugins) {
  const concerned = ({ verb, resource, subresource }: Which): readonly AdmissionPlugin[] =>
    registered.filter(
      ({ verbs, kinds, subresources }) =>
        verbs.includes(verb) && (kinds?.includes(resource.kind.kind) ?? true) && (subresource === undefined || subresources === true),
    );
  const deletions = new Map<Resource, readonly AdmissionPlugin[]>();
  return {
    pluginsFor(which: Which): Admitting {
      const all = concerned(which);
      return {
        mutating: all.filter(({ mutate }) => mutate !== undefined),
        validating: all.filter(({ validate }) => validate !== undefined),
      };
    },
    /** Asks the plug-ins that handle a deletion, which may refuse it. */
    validateDeletion(scope: Scope, attributes: Attributes, object: ApiObject): void {
      const { resource } = attributes;
      let asked = deletions.get(resource);
      if (asked === undefined) deletions.set(resource, (asked = concerned(attributes)));
      for (const plugin of asked) plugin.validate?.(scope, attributes, object, object);
    },
    /** The kinds that admission of a new object reads; undefined if some plug-in changes each object of a template individually. */
    reads(kind: string): readonly string[] | undefined {
      const mutating = registered.filter(
        ({ mutate, verbs, kinds }) => mutate !== undefined && verbs.includes('create') && (kinds?.includes(kind) ?? true),
      );
      if (mutating.some(({ reads }) => reads === undefined)) return undefined;
      return [...new Set(registered.flatMap(({ reads = [], kinds }) => ((kinds?.includes(kind) ?? true) ? reads : [])))];
    },
  };
}
export { demandSigner } from './certificates.ts';
export { FIRST_ADDRESS } from './services/index.ts';
export { covers, usageOf } from './resource-quota.ts';
