/** Secret: confidential values by name. Models: v1.24 core/v1 Secret, pkg/registry/core/secret. */
import { defineKind, forbidden, immutableText, invalid, sameValue, subdomainName, validateMetaUpdate } from '../../machinery/index.ts';
import { secretColumns } from './columns.ts';
import { encode, validate } from './rules.ts';
import { type Secret, secretSchema } from './shape.ts';
import { secretExample } from './example.ts';

export const secret = defineKind<Secret>({
  kind: 'Secret',
  plural: 'secrets',
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: secretSchema,
  applyDefaults(draft) {
    if (draft.stringData === undefined) return;
    draft.data ??= {};
    for (const [key, value] of Object.entries(draft.stringData)) draft.data[key] = encode(value);
    delete draft.stringData;
  },
  validateName: subdomainName,
  validate,
  validateUpdate(now, before, context) {
    const errors = validateMetaUpdate(now, before, context);
    if (now.type !== before.type) errors.push(invalid('type', now.type, immutableText));
    if (before.immutable === true) {
      if (now.immutable !== true) errors.push(forbidden('immutable', 'field is immutable when `immutable` is set'));
      if (!sameValue(now.data ?? {}, before.data ?? {})) errors.push(forbidden('data', 'field is immutable when `immutable` is set'));
    }
    return [...errors, ...validate(now, context)];
  },
  fieldSelectors: { type: (object) => object.type },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns: secretColumns,
  models: 'Complete. Upstream: pkg/registry/core/secret, pkg/apis/core/validation.',
  example: secretExample,
});
