/** Returns the errors of the server for an object, one line each. */
import { envelopeOf } from '../../../../src/apiserver/request/index.ts';
import type { ObjectInput } from '../../../../src/apiserver/machinery/index.ts';
import { setup, type Setup } from '../../handlers/setup.ts';

export type Manifest = ObjectInput & { readonly kind: string };

export function causesOf(object: object, { server }: Setup = setup()): readonly string[] {
  const body = object as Manifest;
  const response = server.handle(envelopeOf('client', { verb: 'create', kind: body.kind, ...namespaceOf(body), body, dryRun: ['All'] }));
  if (response.ok) return [];
  const causes = response.status.details?.causes ?? [];
  return causes.length === 0 ? [response.status.message ?? ''] : causes.map(({ field = '', message }) => `${field}: ${message ?? ''}`);
}

const CLUSTER_WIDE: ReadonlySet<string> = new Set([
  'Node',
  'Namespace',
  'PersistentVolume',
  'StorageClass',
  'CSIDriver',
  'CSINode',
  'VolumeAttachment',
  'RuntimeClass',
  'PriorityClass',
]);
export const namespaceOf = ({ kind }: { readonly kind: string }): { readonly namespace?: string } =>
  CLUSTER_WIDE.has(kind) ? {} : { namespace: 'default' };
