/** Pod: containers that run together on one node. Models: v1.24 core/v1 Pod, pkg/registry/core/pod. */
import { always, obj, type Infer } from '../../schema/index.ts';
import { defineKind } from '../define-kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { podSpec } from '../shapes/pod-spec.ts';
import { podStatus } from '../shapes/pod-status.ts';
import { warningsOnce } from '../validation/pod-warnings.ts';
import { podColumns } from './pod-columns.ts';
import { preparePod, preparePodStatusUpdate, preparePodUpdate } from './pod-strategy.ts';
import { validatePod, validatePodStatusUpdate, validatePodUpdate } from './pod-validation.ts';

export const podSchema = obj('Pod', { ...typeMeta, spec: always(podSpec), status: always(podStatus) });
export type Pod = ObjectOf<'Pod', Infer<typeof podSchema>>;

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
  prepareForCreate: preparePod,
  prepareForUpdate: preparePodUpdate,
  prepareForStatusUpdate: preparePodStatusUpdate,
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  validateStatusUpdate: validatePodStatusUpdate,
  warnings: (object, old, context) => (old === undefined ? warningsOnce(object, context) : []),
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
});
