/** What clients discover of the kinds: names, scopes, sub-resources and their order, as the recorded server publishes them. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type Kind, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { oracleJson } from '../../support/oracle.ts';

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

const names = namesFor('k8s.io');
const registry = kindsFor(names);
const GROUPS = [
  '',
  'apps',
  'batch',
  ...['apiregistration', 'coordination', 'discovery', 'networking', 'node', 'rbac.authorization', 'storage'].map(
    (group) => `${group}.k8s.io`,
  ),
];
/** Sub-resources of nodes and services in which nothing is simulated. */
const NOT_SIMULATED: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward', 'proxy']);

const published = (group: string): readonly Resource[] =>
  (oracleJson(`v1.24/api/discovery/${group === '' ? 'api_v1' : `apis_${group}_v1`}.json`) as { readonly resources: readonly Resource[] })
    .resources;

const shownOf = (group: string, { plural, kind, namespaced, shortNames, categories, subresources, version }: Kind) => ({
  apiVersion: group === '' ? version : `${group}/${version}`,
  plural,
  kind,
  namespaced,
  shortNames,
  categories,
  subresources: [...subresources].sort(),
});

describe('recorded groups', () => {
  it.each(GROUPS)('%j', (group) => {
    const resources = published(group);
    const ours = registry.list().filter(({ groupPrefix }) => names.group(groupPrefix) === group);
    expect(ours.map((kind) => shownOf(group, kind))).toEqual(
      ours.map(({ kind, plural }) => {
        const found = resources.find(({ name }) => name === plural);
        const below = resources.flatMap(({ name }) => (name.startsWith(`${plural}/`) ? [name.slice(plural.length + 1)] : []));
        return {
          apiVersion: group === '' ? 'v1' : `${group}/v1`,
          plural: found?.name,
          kind,
          namespaced: found?.namespaced,
          shortNames: found?.shortNames ?? [],
          categories: found?.categories ?? [],
          subresources: below.filter((name) => !NOT_SIMULATED.has(name)),
        };
      }),
    );
  });
});

/** Kind, resource, short names, categories and sub-resources of the groups that were not recorded. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.k8s.io/v1': [
    'MutatingWebhookConfiguration mutatingwebhookconfigurations [] [api-extensions] cluster',
    'ValidatingWebhookConfiguration validatingwebhookconfigurations [] [api-extensions] cluster',
  ],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition customresourcedefinitions [crd,crds] [api-extensions] cluster status'],
  'autoscaling/v2': ['HorizontalPodAutoscaler horizontalpodautoscalers [hpa] [all] namespaced status'],
  'certificates.k8s.io/v1': ['CertificateSigningRequest certificatesigningrequests [csr] [] cluster approval,status'],
  'policy/v1': ['PodDisruptionBudget poddisruptionbudgets [pdb] [] namespaced status'],
  'scheduling.k8s.io/v1': ['PriorityClass priorityclasses [pc] [] cluster'],
};

it('the groups that were not recorded', () => {
  const rest = registry.list().filter(({ groupPrefix }) => !GROUPS.includes(names.group(groupPrefix)));
  const lines: Record<string, string[]> = {};
  for (const kind of rest) {
    const { plural, shortNames, categories, namespaced, subresources } = kind;
    const line = `${kind.kind} ${plural} [${shortNames.join()}] [${categories.join()}] ${namespaced ? 'namespaced' : 'cluster'} ${subresources.join()}`;
    (lines[registry.apiVersionOf(kind)] ??= []).push(line.trimEnd());
  }
  expect(lines).toEqual(OTHERS);
});

const words = (text: string): readonly string[] => text.split(' ');
const kindsWhere = (has: (kind: Kind) => boolean): readonly string[] =>
  registry
    .list()
    .filter(has)
    .map(({ kind }) => kind);

describe('writes', () => {
  it('an update creates what is not there', () => {
    expect(kindsWhere(({ allowCreateOnUpdate }) => allowCreateOnUpdate)).toEqual(
      words('Lease Event RuntimeClass Endpoints Service LimitRange Role ClusterRole RoleBinding ClusterRoleBinding'),
    );
  });

  it('an update names the revision that it replaces', () => {
    expect(kindsWhere(({ allowUnconditionalUpdate }) => !allowUnconditionalUpdate)).toEqual(
      words(
        'Lease VolumeAttachment CSIDriver CSINode CSIStorageCapacity RuntimeClass PodDisruptionBudget APIService CustomResourceDefinition MutatingWebhookConfiguration ValidatingWebhookConfiguration',
      ),
    );
  });

  it('a deletion answers the object', () => {
    expect(kindsWhere(({ deleteReturns }) => deleteReturns === 'object')).toEqual(
      words(
        'Pod Namespace VolumeAttachment CSIDriver CSINode StorageClass PersistentVolume PersistentVolumeClaim Service ServiceAccount ResourceQuota',
      ),
    );
  });

  it('a deletion orphans dependents', () => {
    expect(kindsWhere(({ defaultPropagation }) => defaultPropagation === 'Orphan')).toEqual(['Job']);
  });

  it('a change is counted in the generation', () => {
    expect(kindsWhere(({ generation }) => generation === 'spec')).toEqual(
      words(
        'Job StatefulSet ReplicaSet DaemonSet CronJob EndpointSlice PodDisruptionBudget Ingress IngressClass NetworkPolicy PriorityClass CustomResourceDefinition MutatingWebhookConfiguration ValidatingWebhookConfiguration',
      ),
    );
    expect(kindsWhere(({ generation }) => generation === 'specAndAnnotations')).toEqual(['Deployment']);
    expect(kindsWhere(({ generation }) => generation === 'specAndStatus')).toEqual([]);
  });

  it('errors have the group of an older version', () => {
    expect(registry.list().flatMap(({ kind, invalidGroup }) => (invalidGroup === undefined ? [] : [`${kind} ${invalidGroup}`]))).toEqual([
      'Ingress extensions',
      'NetworkPolicy extensions',
    ]);
  });
});

it('field selectors select by more than the name', () => {
  const labels = registry
    .list()
    .flatMap(({ kind, fieldSelectors }) => (fieldSelectors === undefined ? [] : [[kind, Object.keys(fieldSelectors).join(' ')]]));
  expect(Object.fromEntries(labels)).toEqual({
    Job: 'status.successful',
    Pod: 'spec.nodeName spec.host spec.restartPolicy spec.schedulerName spec.serviceAccountName status.phase status.podIP status.podIPs status.nominatedNodeName',
    Node: 'spec.unschedulable',
    Namespace: 'status.phase',
    Event:
      'involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath reason reportingComponent source type',
    Secret: 'type',
    CertificateSigningRequest: 'spec.signerName',
  });
});

/** The columns of tables: the type if it is no text; a star: only in wide output. */
const COLUMNS = `
Job: Name, Completions, Duration, Age, Containers*, Images*, Selector*
Pod: Name, Ready, Status, Restarts, Age, IP*, Node*, Nominated Node*, Readiness Gates*
Node: Name, Status, Roles, Age, Version, Internal-IP*, External-IP*, OS-Image*, Kernel-Version*, Container-Runtime*
Namespace: Name, Status, Age
Lease: Name, Holder, Age
Event: Last Seen, Type, Reason, Object, Subobject*, Source*, Message, First Seen*, Count*, Name*
ControllerRevision: Name, Controller, Revision, Age
StatefulSet: Name, Ready, Age, Containers*, Images*
Deployment: Name, Ready, Up-to-date, Available, Age, Containers*, Images*, Selector*
ReplicaSet: Name, Desired:integer, Current:integer, Ready:integer, Age, Containers*, Images*, Selector*
DaemonSet: Name, Desired:integer, Current:integer, Ready:integer, Up-to-date:integer, Available:integer, Node Selector, Age, Containers*, Images*, Selector*
CronJob: Name, Schedule, Suspend:boolean, Active:integer, Last Schedule, Age, Containers*, Images*, Selector*
VolumeAttachment: Name, Attacher, PV, Node, Attached:boolean, Age
CSIDriver: Name, AttachRequired:boolean, PodInfoOnMount:boolean, StorageCapacity:boolean, TokenRequests, RequiresRepublish:boolean, Modes, Age
CSINode: Name, Drivers:integer, Age
CSIStorageCapacity: Name, Created At:date
StorageClass: Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age
RuntimeClass: Name, Handler, Age
PersistentVolume: Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, Reason, Age, VolumeMode*
PersistentVolumeClaim: Name, Status, Volume, Capacity, Access Modes, StorageClass, Age, VolumeMode*
Endpoints: Name, Endpoints, Age
EndpointSlice: Name, AddressType, Ports, Endpoints, Age
Service: Name, Type, Cluster-IP, External-IP, Port(s), Age, Selector*
ConfigMap: Name, Data, Age
Secret: Name, Type, Data, Age
ServiceAccount: Name, Secrets, Age
ResourceQuota: Name, Age, Request, Limit
LimitRange: Name, Created At:date
PodDisruptionBudget: Name, Min Available, Max Unavailable, Allowed Disruptions:integer, Age
HorizontalPodAutoscaler: Name, Reference, Targets, MinPods, MaxPods, Replicas, Age
Ingress: Name, Class, Hosts, Address, Ports, Age
IngressClass: Name, Controller, Parameters, Age
NetworkPolicy: Name, Pod-Selector, Age
APIService: Name, Service, Available, Age
PriorityClass: Name, Value:integer, Global-Default:boolean, Age
Role: Name, Created At:date
ClusterRole: Name, Created At:date
RoleBinding: Name, Role, Age, Users*, Groups*, ServiceAccounts*
ClusterRoleBinding: Name, Role, Age, Users*, Groups*, ServiceAccounts*
CertificateSigningRequest: Name, Age, SignerName, Requestor, RequestedDuration, Condition
CustomResourceDefinition: Name, Created At:date
MutatingWebhookConfiguration: Name, Webhooks:integer, Age
ValidatingWebhookConfiguration: Name, Webhooks:integer, Age
`;

it('the kinds in their order, each with its columns', () => {
  const lines = registry.list().map(({ kind, columns }) => {
    const shown = columns.map(({ name, type, priority }) => `${name}${type === 'string' ? '' : `:${type}`}${priority === 0 ? '' : '*'}`);
    return `${kind}: ${shown.join(', ')}`;
  });
  expect(lines).toEqual(COLUMNS.trim().split('\n'));
});
