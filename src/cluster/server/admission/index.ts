/**
 * Admission: what the server does to a write beyond the rules of its kind. One file a plug-in, one line here, in the order they run:
 * those that change objects first, those that count last.
 */
import type { ApiObject } from '../../api/object.ts';
import type { Door } from '../door.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerations } from './default-tolerations.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { nodeTaint } from './node-taint.ts';
import { objectInUse } from './object-in-use.ts';
import type { AdmissionPlugin, AdmissionVerb, Attributes } from './plugin.ts';
import { priority } from './priority.ts';
import { resourceQuota } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';

export type { AdmissionPlugin, AdmissionVerb, Attributes } from './plugin.ts';

export const plugins: readonly AdmissionPlugin[] = [
  namespaceLifecycle, nodeTaint, priority, defaultTolerations, defaultStorageClass, objectInUse, runtimeClass, defaultIngressClass, resourceQuota,
];

export interface Admission {
  mutate(door: Door, attributes: Attributes, object: ApiObject, old: ApiObject | undefined): ApiObject;
  validate(door: Door, attributes: Attributes, object: ApiObject, old: ApiObject | undefined): void;
}

/** Plug-ins in order; which of them look at a kind is worked out once. */
export function createAdmission(registered: readonly AdmissionPlugin[] = plugins): Admission {
  const routes = new Map<string, { readonly mutating: readonly AdmissionPlugin[]; readonly validating: readonly AdmissionPlugin[] }>();
  const route = (verb: AdmissionVerb, kind: string, sub: boolean) => {
    const key = sub ? `${verb} ${kind}/` : `${verb} ${kind}`;
    let found = routes.get(key);
    if (found === undefined) {
      const concerned = registered.filter((plugin) => plugin.verbs.includes(verb) && (plugin.kinds?.includes(kind) ?? true) && (!sub || plugin.subresources === true));
      routes.set(key, (found = { mutating: concerned.filter((plugin) => plugin.mutate !== undefined), validating: concerned.filter((plugin) => plugin.validate !== undefined) }));
    }
    return found;
  };
  return {
    mutate(door, attributes, object, old) {
      let result = object;
      for (const plugin of route(attributes.verb, attributes.resource.kind.kind, attributes.subresource !== undefined).mutating) result = plugin.mutate?.(door, attributes, result, old) ?? result;
      return result;
    },
    validate(door, attributes, object, old) {
      for (const plugin of route(attributes.verb, attributes.resource.kind.kind, attributes.subresource !== undefined).validating) plugin.validate?.(door, attributes, object, old);
    },
  };
}
