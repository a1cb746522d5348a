/**
 * Namespaces: none is created in one that ends, some are never deleted, and their pod security labels must have known levels, which are not
 * enforced. Models: apiserver pkg/admission/plugin/namespace/lifecycle; pod-security-admission admission.ValidateNamespace.
 */
import type { ApiObject, FieldError } from '../machinery/index.ts';
import { forbidden, invalid, notFound } from '../request/index.ts';
import type { AdmissionPlugin, Scope } from './plugin.ts';

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
    if (name === 'default' || name === systemNamespace || name === publicNamespace)
      throw forbidden(resource, name, 'this namespace may not be deleted');
  },
};

const LEVELS: ReadonlySet<string> = new Set(['privileged', 'baseline', 'restricted']);
const VERSION = /^(latest|v1\.(0|[1-9]\d*))$/;

/** In upstream's order. */
const MODES = ['enforce', 'audit', 'warn'];

function labelErrors(scope: Scope, object: ApiObject | undefined): readonly FieldError[] {
  const labels = object?.metadata.labels ?? {};
  const errors: FieldError[] = [];
  const check = (label: string, isGood: (value: string) => boolean, detail: string): void => {
    const key = scope.names.key('pod-security', label);
    const value = labels[key];
    if (value !== undefined && !isGood(value)) errors.push({ type: 'Invalid', field: `metadata.labels[${key}]`, value, detail });
  };
  for (const mode of MODES) {
    check(mode, (value) => LEVELS.has(value), 'must be one of privileged, baseline, restricted');
    check(`${mode}-version`, (value) => VERSION.test(value), 'must be "latest" or "v1.x"');
  }
  return errors;
}

const words = (errors: readonly FieldError[]): string =>
  errors.map(({ field, value, detail }) => `${field} ${String(value)} ${detail}`).join();

export const podSecurity: AdmissionPlugin = {
  name: 'PodSecurity',
  verbs: ['create', 'update'],
  kinds: ['Namespace'],
  validate(scope, { resource, name }, object, old) {
    if (scope.gates['PodSecurity'] === false) return;
    const errors = labelErrors(scope, object);
    // An error that the stored object has already is accepted.
    if (errors.length > 0 && words(errors) !== words(labelErrors(scope, old))) throw invalid(resource, name, errors);
  },
};
