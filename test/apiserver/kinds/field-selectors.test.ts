/** The values that field selectors compare: those of an object that has all of them, and of one that has none. */
import { expect, it } from 'vitest';
import { kindOf, objectOf } from './cells.ts';

/** Returns the values by label; undefined is compared as the empty text. */
function valuesOf(kind: string, parts: object): Readonly<Record<string, string | undefined>> {
  const [object, { fieldSelectors = {} }] = [objectOf(kind, parts), kindOf(kind)];
  return Object.fromEntries(Object.entries(fieldSelectors).map(([label, value]) => [label, value(object)]));
}

const involvedObject = { kind: 'Pod', namespace: 'n', name: 'p', uid: 'u', apiVersion: 'v1', resourceVersion: '7', fieldPath: 'spec.x' };

it.each<[kind: string, parts: object, values: object]>([
  ['Job', { status: { succeeded: 3 } }, { 'status.successful': '3' }],
  ['Job', {}, { 'status.successful': '0' }],
  ['Node', { spec: { unschedulable: true } }, { 'spec.unschedulable': 'true' }],
  ['Node', {}, { 'spec.unschedulable': 'false' }],
  ['Namespace', { status: { phase: 'Terminating' } }, { 'status.phase': 'Terminating' }],
  ['Secret', { type: 'a/b' }, { type: 'a/b' }],
  ['CertificateSigningRequest', { spec: { signerName: 's/n' } }, { 'spec.signerName': 's/n' }],
  [
    'Pod',
    {
      spec: { nodeName: 'n', restartPolicy: 'Never', schedulerName: 's', serviceAccountName: 'a' },
      status: { phase: 'Running', podIP: '1.2.3.4', nominatedNodeName: 'm' },
    },
    {
      'spec.nodeName': 'n',
      'spec.host': 'n',
      'spec.restartPolicy': 'Never',
      'spec.schedulerName': 's',
      'spec.serviceAccountName': 'a',
      'status.phase': 'Running',
      'status.podIP': '1.2.3.4',
      'status.podIPs': '1.2.3.4',
      'status.nominatedNodeName': 'm',
    },
  ],
  ['Pod', {}, { 'spec.restartPolicy': 'Always', 'spec.schedulerName': 'default-scheduler', 'status.phase': 'Pending' }],
  [
    'Event',
    { involvedObject, reason: 'R', type: 'Normal', source: { component: 'c' }, reportingComponent: 'r' },
    {
      ...Object.fromEntries(Object.entries(involvedObject).map(([name, value]) => [`involvedObject.${name}`, value])),
      reason: 'R',
      reportingComponent: 'r',
      source: 'c',
      type: 'Normal',
    },
  ],
  ['Event', { reportingComponent: 'r' }, { reportingComponent: 'r', source: 'r' }],
])('%s %j', (kind, parts, values) => expect(valuesOf(kind, parts)).toEqual(values));
