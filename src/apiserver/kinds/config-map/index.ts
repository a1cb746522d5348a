/** ConfigMap: settings by name. Models: v1.24 core/v1 ConfigMap, pkg/registry/core/configmap. */
import { defineKind, subdomainName } from '../../machinery/index.ts';
import { configMapColumns } from './columns.ts';
import { validate, validateUpdate } from './rules.ts';
import { type ConfigMap, configMapSchema } from './shape.ts';
import { configMapExample } from './example.ts';

export const configMap = defineKind<ConfigMap>({
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: configMapSchema,
  validateName: subdomainName,
  validate,
  validateUpdate,
  columns: configMapColumns,
  models: 'Complete. Upstream: pkg/registry/core/configmap, pkg/apis/core/validation.',
  example: configMapExample,
});
