/** Namespaces: none is created in one that ends, and some are never deleted. Models: apiserver pkg/admission/plugin/namespace/lifecycle. */
import { failure, forbidden, notFound } from '../request/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  verbs: ['create', 'delete'],
  reads: ['Namespace'],
  changes: 'nothing',
  subresources: true,
  mutate(scope, { verb, resource, namespace, name }, { metadata }) {
    if (verb !== 'create' || namespace === undefined || namespace === '') return;
    const found = scope.store.get('Namespace', namespace);
    if (found === undefined) throw notFound(scope.resource('Namespace'), namespace);
    const { phase } = (found['status'] ?? {}) as { readonly phase?: string };
    if (found.metadata.deletionTimestamp === undefined && phase !== 'Terminating') return;
    const shown = metadata.name ?? metadata.generateName ?? name;
    throw forbidden(resource, shown, `unable to create new content in namespace ${namespace} because it is being terminated`, [
      { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
    ]);
  },
  validate(scope, { verb, resource, name }) {
    if (verb !== 'delete' || resource.kind.kind !== 'Namespace') return;
    const { systemNamespace, publicNamespace } = scope.names;
    if (name === 'default' || name === systemNamespace || name === publicNamespace) {
      throw failure({
        code: 403,
        reason: 'Forbidden',
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
        details: { name, kind: 'namespaces' },
      });
    }
  },
};
