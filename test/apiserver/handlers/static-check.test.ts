/** The errors of a document that do not depend on stored objects, and the stages of writes. */
import { describe, expect, it } from 'vitest';
import { plansFor, staticErrors } from '../../../src/apiserver/handlers/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type KindContext, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { body, type Members } from './made.ts';

const NAMES = namesFor('k8s.io');
const registry = kindsFor(NAMES);
const kindOf = (name: string) => {
  const kind = registry.byKind(name);
  if (kind === undefined) throw new Error(name);
  return kind;
};
const errorsOf = (object: Members & { readonly kind: string }, rules?: KindContext['rules']): readonly string[] =>
  staticErrors(kindOf(object.kind), object, { names: NAMES, gates: {}, now: 0, rules }).map(
    ({ type, field, detail }) => `${field} ${type}: ${detail}`,
  );
const pod = (spec: object, metadata: object = { name: 'p' }) => ({ ...body('Pod', '', { spec }), metadata });
const CONTAINERS = [{ name: 'c', image: 'i' }];

describe('a document alone', () => {
  it.each<readonly [string, Members & { readonly kind: string }, unknown]>([
    ['has no errors', pod({ containers: CONTAINERS }), []],
    ['may draw its name', pod({ containers: CONTAINERS }, { generateName: 'p-' }), []],
    ['may draw its name where it is empty', pod({ containers: CONTAINERS }, { name: '', generateName: 'p-' }), []],
    ['needs a name', pod({ containers: CONTAINERS }, {}), ['metadata.name Required: name or generateName is required']],
    [
      'needs a name that is not empty',
      pod({ containers: CONTAINERS }, { name: '', generateName: '' }),
      ['metadata.name Required: name or generateName is required'],
    ],
    [
      'has a valid prefix',
      pod({ containers: CONTAINERS }, { generateName: 'P_' }),
      [expect.stringMatching(/^metadata\.generateName Invalid: /)],
    ],
    [
      'may have owners without uid',
      pod({ containers: CONTAINERS }, { name: 'p', ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: '' }] }),
      [],
    ],
    [
      'has owners with names',
      pod({ containers: CONTAINERS }, { name: 'p', ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: '', uid: 'u' }] }),
      ['metadata.ownerReferences.name Invalid: name must not be empty'],
    ],
    [
      'has a valid name, although it could draw one',
      pod({ containers: CONTAINERS }, { name: 'P_', generateName: 'p-' }),
      [expect.stringMatching(/^metadata\.name Invalid: /)],
    ],
    [
      'has no prefix that cannot lead to its name',
      {
        ...body('CustomResourceDefinition', ''),
        apiVersion: 'apiextensions.k8s.io/v1',
        metadata: { generateName: 'widgets.' },
        spec: {
          group: 'a.example.com',
          names: { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' },
          scope: 'Cluster',
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      },
      [
        expect.stringMatching(/^metadata\.generateName Invalid: a lowercase/),
        'metadata.generateName Invalid: must be spec.names.plural+"."+spec.group',
      ],
    ],
    [
      'may ask for huge pages alone, where a LimitRange adds memory',
      pod({ containers: [{ ...CONTAINERS[0], resources: { limits: { 'hugepages-2Mi': '2Mi' } } }] }),
      [],
    ],
    [
      'shows its owners as they are written',
      pod(
        { containers: CONTAINERS },
        { name: 'p', ownerReferences: ['a', 'b'].map((name) => ({ apiVersion: 'v1', kind: 'Node', name, uid: name, controller: true })) },
      ),
      ['metadata.ownerReferences Invalid: Only one reference can have Controller set to true. Found "true" in references for a and b'],
    ],
    ['lacks containers', pod({}), ['spec.containers Required: ']],
    // Admission gives a claim its class, a service its address, and a LimitRange requests.
    ['may lack what admission fills', body('Service', 's', { spec: { type: 'NodePort', ports: [{ port: 80 }] } }), []],
    ['may have an address without families', body('Service', 's', { spec: { clusterIP: '10.0.0.9', ports: [{ port: 80 }] } }), []],
    [
      'has requests beyond which a container must not ask',
      pod({ containers: [{ ...CONTAINERS[0], resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }] }),
      ['spec.containers[0].resources.requests Invalid: must be less than or equal to cpu limit'],
    ],
    ['may lack a size, which a LimitRange gives', body('PersistentVolumeClaim', 'v', { spec: { accessModes: ['ReadWriteOnce'] } }), []],
    [
      'lacks modes',
      body('PersistentVolumeClaim', 'v', { spec: { resources: { requests: { storage: '1Gi' } } } }),
      ['spec.accessModes Required: at least 1 access mode is required'],
    ],
    ['of the cluster needs no namespace', body('Namespace', 'n'), []],
    ['of the cluster has no namespace', body('Namespace', 'n', {}, { namespace: 'x' }), []],
  ])('%s', (_, object, errors) => {
    expect(errorsOf(object)).toEqual(errors);
  });

  it('is checked by the rules of the specification where these count, but for those about other objects', () => {
    const lease = { ...body('Lease', 'l', { spec: { leaseDurationSeconds: 0 } }), apiVersion: 'coordination.k8s.io/v1' };
    const slice = {
      ...body('EndpointSlice', 'e', { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }, { addresses: ['10.1.2.3'] }] }),
      apiVersion: 'discovery.k8s.io/v1',
    };
    expect(errorsOf(slice, 'recorded')).toEqual([]);
    expect(errorsOf(slice, 'specification')).toEqual(['endpoints[1] Duplicate: ']);
    // What was sent counts, not what it becomes.
    expect(errorsOf({ ...slice, endpoints: undefined }, 'specification')).toEqual(['endpoints Required: ']);
    expect(errorsOf(lease, 'specification')).toEqual(errorsOf(lease, 'recorded'));
    // Whether the Service of a set is there, only a server knows.
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: CONTAINERS } };
    const set = body('StatefulSet', 's', { spec: { serviceName: 'none', selector: { matchLabels: { a: 'b' } }, template } }, {}, 'apps/v1');
    expect(errorsOf(set, 'specification')).toEqual([]);
  });
});

describe('the plans of a kind', () => {
  const planned = (kind: string, write: string) =>
    plansFor(kindOf(kind), NAMES)
      .get(write)
      ?.map(({ name, reads }) => `${name} (${reads.join(', ')})`);

  it('list the stages of each write in order, with what they read', () => {
    expect([...plansFor(kindOf('Namespace'), NAMES).keys()]).toEqual(['create', 'update', 'update of the status']);
    expect(planned('ConfigMap', 'create')).toEqual([
      'managed fields (always runs)',
      'name (identity)',
      'admission: NamespaceLifecycle (spec)',
      'duplicate owner references (ownerReferences)',
      'server metadata (identity)',
      'complete (always runs)',
      'validation (always runs)',
      'rules of the specification (always runs)',
      'admission: NamespaceLifecycle (spec)',
      'admission: ResourceQuota (always runs)',
      'name is free (identity)',
      'commit (always runs)',
    ]);
    expect(planned('Namespace', 'update')).toEqual([
      'defaults (labels, identity)',
      'managed fields (always runs)',
      'resourceVersion (identity)',
      'server metadata (identity)',
      'prepare for update (spec)',
      'prepare for update (status)',
      'shared members (unknown changes)',
      'complete (always runs)',
      'validation (always runs)',
      'rules of the specification (always runs)',
      'admission: PodSecurity (always runs)',
      'admission: ResourceQuota (always runs)',
      'commit (always runs)',
    ]);
  });
});
