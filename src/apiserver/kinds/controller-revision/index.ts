/**
 * ControllerRevision: an immutable snapshot of a template. Models: v1.24 apps/v1 ControllerRevision, pkg/registry/apps/controllerrevision.
 */
import { defineKind, immutableText, invalid, sameValue, subdomainName, validateMeta, validateMetaUpdate } from '../../machinery/index.ts';
import { controllerRevisionColumns } from './columns.ts';
import { fieldErrors, shownRaw } from './rules.ts';
import { type ControllerRevision, controllerRevisionSchema } from './shape.ts';
import { controllerRevisionExample } from './example.ts';

export const controllerRevision = defineKind<ControllerRevision>({
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  groupPrefix: 'apps',
  version: 'v1',
  namespaced: true,
  schema: controllerRevisionSchema,
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context), ...fieldErrors(object)],
  validateUpdate(object, old, context) {
    const errors = [
      ...validateMetaUpdate(object, old, context),
      ...validateMeta(object, true, subdomainName, context),
      ...fieldErrors(object),
    ];
    if (!sameValue(object['data'], old['data'])) errors.push(invalid('data', shownRaw(object['data']), immutableText));
    return errors;
  },
  columns: controllerRevisionColumns,
  models: 'Complete. Upstream: pkg/registry/apps/controllerrevision, pkg/apis/apps/validation.',
  example: controllerRevisionExample,
});
