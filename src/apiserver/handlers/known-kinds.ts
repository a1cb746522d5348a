/**
 * Kinds in upstream's scheme, most of which are not served here: errors distinguish a body of a known kind from one of an unknown kind.
 * Models: v1.24 pkg/api/legacyscheme with the register.go of every staging/src/k8s.io/api group; kube-aggregator pkg/apiserver/scheme,
 * which is a server of its own; apimachinery pkg/apis/meta/v1 register.go.
 */
import { perObject } from '../../engine/index.ts';
import type { Names } from '../machinery/index.ts';

const APPS = 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet';

/** By group and versions. */
const KINDS: Readonly<Record<string, string>> = {
  '/v1':
    'Binding ComponentStatus ConfigMap Endpoints Event LimitRange Namespace Node NodeProxyOptions PersistentVolume PersistentVolumeClaim Pod PodAttachOptions PodExecOptions PodLogOptions PodPortForwardOptions PodProxyOptions PodStatusResult PodTemplate RangeAllocation ReplicationController ResourceQuota Secret SerializedReference Service ServiceAccount ServiceProxyOptions',
  'admissionregistration/v1 v1beta1': 'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
  'apps/v1': APPS,
  'apps/v1beta1': 'ControllerRevision Deployment DeploymentRollback Scale StatefulSet',
  'apps/v1beta2': `${APPS} Scale`,
  'authentication/v1': 'TokenRequest TokenReview',
  'authentication/v1beta1': 'TokenReview',
  'authorization/v1 v1beta1': 'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  'autoscaling/v1': 'HorizontalPodAutoscaler Scale',
  'autoscaling/v2 v2beta1 v2beta2': 'HorizontalPodAutoscaler',
  'batch/v1': 'CronJob Job',
  'batch/v1beta1': 'CronJob JobTemplate',
  'certificates/v1 v1beta1': 'CertificateSigningRequest',
  'coordination/v1 v1beta1': 'Lease',
  'discovery/v1 v1beta1': 'EndpointSlice',
  'events/v1 v1beta1': 'Event',
  'extensions/v1beta1': 'DaemonSet Deployment DeploymentRollback Ingress NetworkPolicy PodSecurityPolicy ReplicaSet Scale',
  'flowcontrol.apiserver/v1alpha1 v1beta1 v1beta2': 'FlowSchema PriorityLevelConfiguration',
  'networking/v1': 'Ingress IngressClass NetworkPolicy',
  'networking/v1beta1': 'Ingress IngressClass',
  'node/v1 v1alpha1 v1beta1': 'RuntimeClass',
  'policy/v1': 'Eviction PodDisruptionBudget',
  'policy/v1beta1': 'Eviction PodDisruptionBudget PodSecurityPolicy',
  'rbac.authorization/v1 v1alpha1 v1beta1': 'ClusterRole ClusterRoleBinding Role RoleBinding',
  'scheduling/v1 v1alpha1 v1beta1': 'PriorityClass',
  'storage/v1 v1beta1': 'CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment',
  'storage/v1alpha1': 'CSIStorageCapacity VolumeAttachment',
};
const AGGREGATED: Readonly<Record<string, string>> = { 'apiregistration/v1 v1beta1': 'APIService' };

/** Kinds that are in every group and version, all of one Go package. */
const META = 'CreateOptions DeleteOptions GetOptions ListOptions PatchOptions UpdateOptions WatchEvent'.split(' ');
/** Kinds without a group. */
const BARE = 'APIGroup APIGroupList APIResourceList APIVersions List Status'.split(' ');

const kindsByVersion = (names: Names, kinds: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    Object.entries(kinds).flatMap(([key, listed]) => {
      const [prefix = '', versions = ''] = key.split('/');
      const group = prefix === 'extensions' ? prefix : names.group(prefix);
      const known = new Set(listed.split(' '));
      return versions.split(' ').map((version) => [group === '' ? version : `${group}/${version}`, known] as const);
    }),
  );

const tables = perObject((names: Names) => ({ legacy: kindsByVersion(names, KINDS), aggregated: kindsByVersion(names, AGGREGATED) }));

/** Returns the Go package of a kind's struct, as errors print it; undefined where it is not in the scheme of the server. */
export function packageOf(names: Names, aggregated: boolean, kind: string, apiVersion: string): string | undefined {
  const known = tables(names)[aggregated ? 'aggregated' : 'legacy'].get(apiVersion);
  const version = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
  if (known?.has(kind) === true || known?.has(kind.replace(/List$/, '')) === true) return version;
  if ((known !== undefined || apiVersion === 'v1') && META.includes(kind)) return 'v1';
  return apiVersion === 'v1' && BARE.includes(kind) ? 'v1' : undefined;
}
