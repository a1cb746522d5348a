/** Objects that tests create in a server, and how it refuses them. */
import type { Setup } from './setup.ts';

export type Members = Readonly<Record<string, unknown>>;
export const body = (kind: string, name: string, more: object = {}, metadata: object = {}, apiVersion = 'v1') => ({
  apiVersion,
  kind,
  metadata: { name, ...metadata },
  ...more,
});
type Made = { readonly kind: string } & Members;

const CLUSTER_WIDE = new Set(['Node', 'Namespace', 'PriorityClass', 'StorageClass', 'IngressClass', 'PersistentVolume']);
export const create = (world: Setup, object: Made, namespace = 'default') =>
  world.ok({ verb: 'create', kind: object.kind, body: object, ...(CLUSTER_WIDE.has(object.kind) ? {} : { namespace }) } as never);
export const refusal = (world: Setup, object: Made, namespace = 'default') =>
  world.refused({ verb: 'create', kind: object.kind, body: object, ...(CLUSTER_WIDE.has(object.kind) ? {} : { namespace }) } as never)
    .message;
export const specOf = (object: unknown): Members => (object as { readonly spec: Members }).spec;
