/** The pod security labels of a namespace must have known levels, which are not enforced. Models: admission.ValidateNamespace. */
import type { ApiObject, FieldError } from '../machinery/index.ts';
import { invalid } from '../request/index.ts';
import type { Scope } from './request-scope.ts';
import type { AdmissionPlugin } from './plugin.ts';

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
