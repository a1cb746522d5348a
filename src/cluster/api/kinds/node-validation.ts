/** Rules of nodes. Models: v1.24 pkg/apis/core/validation ValidateNode, ValidateNodeUpdate, pkg/registry/core/node/strategy.go. */
import type { Draft, KindContext } from '../kind.ts';
import type { ApiObject } from '../object.ts';
import type { FieldError } from '../status.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';

interface LooseSpec { readonly podCIDR?: string; readonly podCIDRs?: readonly string[]; readonly configSource?: unknown }

/** What is not said to be allocatable is all that there is; the two spellings of the pod range fill each other. */
export function defaultNode(draft: Draft): void {
  const status = (draft['status'] ?? {}) as { readonly capacity?: unknown; readonly allocatable?: unknown };
  if (status.capacity !== undefined && status.allocatable === undefined) draft['status'] = { capacity: status.capacity, allocatable: status.capacity, ...status };
  const spec = (draft['spec'] ?? {}) as LooseSpec;
  if (spec.podCIDR !== undefined && spec.podCIDRs === undefined) draft['spec'] = { podCIDR: spec.podCIDR, podCIDRs: [spec.podCIDR], ...spec };
  else if (spec.podCIDR === undefined && spec.podCIDRs?.[0] !== undefined) draft['spec'] = { podCIDR: spec.podCIDRs[0], ...spec };
}

/** The dynamic configuration of agents is gone: its field is dropped unless the stored object has it. */
function dropConfigSource(draft: Draft): void {
  const { configSource, ...spec } = (draft['spec'] ?? {}) as LooseSpec;
  if (configSource !== undefined) draft['spec'] = spec;
}

export const prepareNode = (draft: Draft): void => dropConfigSource(draft);

export function prepareNodeUpdate(draft: Draft, old: ApiObject): void {
  draft['status'] = old['status'];
  if ((old['spec'] as LooseSpec).configSource === undefined) dropConfigSource(draft);
}

export function prepareNodeStatusUpdate(draft: Draft, old: ApiObject): void {
  draft['spec'] = old['spec'];
}

export const validateNode = (object: ApiObject, context: KindContext): readonly FieldError[] => validateMeta(object, false, subdomainName, context);
export const validateNodeUpdate = (object: ApiObject, old: ApiObject): readonly FieldError[] => validateMetaUpdate(object, old);
