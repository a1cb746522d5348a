/** Pod: containers that run together on one node. Models: v1.24 core/v1 Pod, pkg/registry/core/pod. */
import { defineKind, gatedPodFields, keepSpecAndOwners, keepStatus, podWarnings } from '../../machinery/index.ts';
import { podColumns } from './columns.ts';
import { validatePod, validatePodStatusUpdate, validatePodUpdate } from './rules.ts';
import { type Pod, podSchema } from './shape.ts';
import { podTemplateRules } from './template-rules.ts';
import { podExample } from './example.ts';
import { preparePod } from './strategy.ts';

export const pod = defineKind<Pod>({
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: podSchema,
  subresources: ['status', 'binding', 'eviction', 'ephemeralcontainers', 'log'],
  deleteReturns: 'object',
  templateRules: podTemplateRules,
  prepareForCreate: { reads: ['spec', 'annotations'], run: preparePod },
  prepareForUpdate: [keepStatus, gatedPodFields],
  prepareForStatusUpdate: keepSpecAndOwners,
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  validateStatusUpdate: validatePodStatusUpdate,
  warnings: (object, old, context) => (old === undefined ? podWarnings(object, '', context) : []),
  fieldSelectors: {
    'spec.nodeName': (object) => object.spec.nodeName ?? '',
    'spec.host': (object) => object.spec.nodeName ?? '',
    'spec.restartPolicy': (object) => object.spec.restartPolicy,
    'spec.schedulerName': (object) => object.spec.schedulerName,
    'spec.serviceAccountName': (object) => object.spec.serviceAccountName ?? '',
    'status.phase': (object) => object.status.phase,
    'status.podIP': (object) => object.status.podIP ?? '',
    'status.podIPs': (object) => object.status.podIP ?? '',
    'status.nominatedNodeName': (object) => object.status.nominatedNodeName ?? '',
  },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns: podColumns,
  models: 'Complete. Omits: ephemeral containers, tolerations in annotations. Upstream: pkg/registry/core/pod, pkg/apis/core/validation.',
  example: podExample,
});
