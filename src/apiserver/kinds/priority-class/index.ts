/** PriorityClass: the importance of pods. Models: v1.24 scheduling/v1 PriorityClass, pkg/registry/scheduling/priorityclass. */
import { defineKind, subdomainName } from '../../machinery/index.ts';
import { priorityClassColumns } from './columns.ts';
import { validate, validateUpdate } from './rules.ts';
import { type PriorityClass, priorityClassSchema } from './shape.ts';
import { priorityClassExample } from './example.ts';

export const priorityClass = defineKind<PriorityClass>({
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  shortNames: ['pc'],
  groupPrefix: 'scheduling',
  version: 'v1',
  namespaced: false,
  schema: priorityClassSchema,
  generation: 'spec',
  validateName: subdomainName,
  validate,
  validateUpdate,
  columns: priorityClassColumns,
  models: 'Complete. Upstream: pkg/registry/scheduling/priorityclass, pkg/apis/scheduling/validation.',
  example: priorityClassExample,
});
