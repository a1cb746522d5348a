/**
 * LimitRange: defaults and bounds for resources of a namespace's objects. Models: v1.24 core/v1 LimitRange, pkg/registry/core/limitrange.
 */
import { createdAtColumn, defineKind, nameColumn, subdomainName, validateMeta } from '../../machinery/index.ts';
import { limitErrors } from './rules.ts';
import { type LimitRange, limitRangeSchema } from './shape.ts';
import { limitRangeExample } from './example.ts';
import { complete } from './strategy.ts';

export const limitRange = defineKind<LimitRange>({
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: limitRangeSchema,
  applyDefaults(draft) {
    for (const item of draft.spec.limits ?? []) complete(item);
  },
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context), ...limitErrors(object.spec.limits ?? [])],
  // Upstream validates only the new object.
  validateUpdate: (object, _old, context) => [
    ...validateMeta(object, true, subdomainName, context),
    ...limitErrors(object.spec.limits ?? []),
  ],
  columns: [nameColumn, createdAtColumn],
  models: 'Complete. Upstream: pkg/registry/core/limitrange, plugin/pkg/admission/limitranger.',
  example: limitRangeExample,
});
