/** Bodies of writes: of which kind they may be, what they may name, and how fields that there are not are reported. */
import { describe, expect, it } from 'vitest';
import { envelopeOf, type ApiRequest } from '../../../src/apiserver/request/index.ts';
import { metaProblem, noKind, unrecognized } from '../../../src/apiserver/handlers/body.ts';
import { setup, type Setup } from './setup.ts';

const PODS = { kind: 'Pod', namespace: 'default' } as const;
const pod = (more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }] },
  ...more,
});
const answered = ({ server }: Setup, request: ApiRequest) => server.handle(envelopeOf('client', request));
const messageOf = (world: Setup, request: ApiRequest): string | undefined => {
  const response = answered(world, request);
  return response.ok ? undefined : `${response.code} ${response.status.message ?? ''}`;
};
const creating = (body: unknown, more: object = {}): ApiRequest => ({ ...PODS, verb: 'create', body: body as never, ...more });

describe('a body', () => {
  const world = setup();
  const SCHEME = 'in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"';
  const cannot = (kind: string, version: string, why: string) => `400 ${kind} in version "${version}" cannot be handled as a Pod: ${why}`;
  const converting = (kind: string, version: string, from = version) =>
    cannot(kind, version, `converting (${from}.${kind}) to (core.Pod): unknown conversion`);
  const unknown = (kind: string, apiVersion: string, version: string) =>
    cannot(kind, version, `no kind "${kind}" is registered for version "${apiVersion}" ${SCHEME}`);

  it.each<[string, string, string]>([
    ['v1', 'Service', converting('Service', 'v1')],
    ['v1', 'PodList', converting('PodList', 'v1')],
    ['v1', 'Status', converting('Status', 'v1')],
    ['v1', 'List', converting('List', 'v1')],
    ['v1', 'DeleteOptions', converting('DeleteOptions', 'v1')],
    ['apps/v1', 'Deployment', converting('Deployment', 'v1')],
    ['apps/v1beta1', 'DeploymentRollback', converting('DeploymentRollback', 'v1beta1')],
    ['apps/v1beta2', 'Scale', converting('Scale', 'v1beta2')],
    ['apps/v1', 'DeleteOptions', converting('DeleteOptions', 'v1')],
    ['apps/v1beta1', 'WatchEvent', converting('WatchEvent', 'v1beta1', 'v1')],
    ['extensions/v1beta1', 'Ingress', converting('Ingress', 'v1beta1')],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscalerList', converting('HorizontalPodAutoscalerList', 'v2beta2')],
    ['rbac.authorization.k8s.io/v1alpha1', 'Role', converting('Role', 'v1alpha1')],
    ['storage.k8s.io/v1alpha1', 'VolumeAttachment', converting('VolumeAttachment', 'v1alpha1')],
    ['flowcontrol.apiserver.k8s.io/v1beta2', 'FlowSchema', converting('FlowSchema', 'v1beta2')],
    ['v1', 'Deployment', unknown('Deployment', 'v1', 'v1')],
    ['apps/v1', 'Pod', unknown('Pod', 'apps/v1', 'v1')],
    ['apps/v1', 'Status', unknown('Status', 'apps/v1', 'v1')],
    ['apps/v9', 'Deployment', unknown('Deployment', 'apps/v9', 'v9')],
    ['example.com/v1', 'DeleteOptions', unknown('DeleteOptions', 'example.com/v1', 'v1')],
    ['apiregistration.k8s.io/v1', 'APIService', unknown('APIService', 'apiregistration.k8s.io/v1', 'v1')],
    ['', 'Deployment', unknown('Deployment', 'v1', 'v1')],
    ['apps/v1', '', unknown('Pod', 'apps/v1', 'v1')],
  ])('of %s %s is refused', (apiVersion, kind, expected) => {
    expect(messageOf(world, creating(pod({ apiVersion, kind })))).toBe(expected);
  });

  it('of the aggregator has a scheme of its own', () => {
    const service = (apiVersion: string, kind: string) =>
      messageOf(world, { kind: 'APIService', verb: 'create', body: { apiVersion, kind, metadata: { name: 'v1.x' } } });
    const why = (kind: string, version: string, text: string) =>
      `400 ${kind} in version "${version}" cannot be handled as a APIService: ${text}`;
    expect([service('v1', 'Pod'), service('apiregistration.k8s.io/v1beta1', 'APIService')]).toEqual([
      why('Pod', 'v1', 'no kind "Pod" is registered for version "v1" in scheme "k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:32"'),
      why('APIService', 'v1beta1', 'converting (v1beta1.APIService) to (apiregistration.APIService): unknown conversion'),
    ]);
  });

  it('may leave out what it is', () => {
    const fresh = setup();
    for (const [name, more] of [
      ['a', { apiVersion: undefined }],
      ['b', { kind: undefined }],
      ['c', { apiVersion: '', kind: '' }],
    ] as const)
      expect(fresh.ok(creating(pod({ ...more, metadata: { name } })))).toMatchObject({ apiVersion: 'v1', kind: 'Pod' });
    expect(messageOf(fresh, creating(pod({ apiVersion: 'a/b/c' })))).toMatch(
      /^400 the object provided is unrecognized \(must be of type Pod\): unexpected GroupVersion string: a\/b\/c \(\{"apiVersion":"a\/b\/c","kind":" \.\.\.\)$/,
    );
  });

  it.each<[unknown, string | undefined]>([
    [undefined, 'unexpected end of JSON input'],
    [null, undefined],
    [{}, undefined],
    [{ kind: null, apiVersion: null }, undefined],
    [
      'x',
      'json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ],
    [
      7,
      'json: cannot unmarshal number into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ],
    [
      true,
      'json: cannot unmarshal bool into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ],
    [
      [],
      'json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ],
    [{ kind: 7 }, 'json: cannot unmarshal number into Go struct field .kind of type string'],
    [{ kind: 7, apiVersion: [] }, 'json: cannot unmarshal array into Go struct field .apiVersion of type string'],
    [{ kind: { text: 'x' } }, 'json: cannot unmarshal object into Go struct field .kind of type string'],
  ])('of %j has the problem %s', (body, problem) => {
    expect(metaProblem(body)).toBe(problem);
  });

  it('is quoted at its beginning: an object as text, anything else as bytes', () => {
    const quoted = (text: string | Uint8Array): string =>
      /\((.*)\)$/s.exec(
        unrecognized('Pod', 'why', text).message.slice('the object provided is unrecognized (must be of type Pod): '.length),
      )?.[1] ?? '';
    expect([
      quoted(''),
      quoted(new Uint8Array()),
      quoted('{"a":1}'),
      quoted(` \t\r\n{${'x'.repeat(25)}`),
      quoted(`{${'x'.repeat(30)}`),
      quoted('ab'),
      quoted('é'),
      quoted(new Uint8Array([1, 171])),
    ]).toEqual(['<empty>', '<empty>', '{"a":1}', ` \t\r\n{${'x'.repeat(25)}`, `{${'x'.repeat(29)} ...`, '6162', 'c3a9', '01ab']);
    expect([quoted('x'.repeat(30)), quoted('x'.repeat(31)), quoted(new Uint8Array(31))]).toEqual([
      '78'.repeat(30),
      `${'78'.repeat(30)} ...`,
      `${'00'.repeat(30)} ...`,
    ]);
    expect(noKind('Pod', 'why', 'x').message).toBe(
      "the object provided is unrecognized (must be of type Pod): couldn't get version/kind; json parse error: why (78)",
    );
  });

  it('names the object and the namespace of its path', () => {
    const fresh = setup();
    fresh.ok(creating(pod()));
    const update = (metadata: object) => messageOf(fresh, { ...PODS, verb: 'update', name: 'p', body: pod({ metadata }) });
    const wrongName = (given: string) => `400 the name of the object (${given}) does not match the name on the URL (p)`;
    const OTHER = '400 the namespace of the provided object does not match the namespace sent on the request';
    expect([
      messageOf(fresh, creating(pod({ metadata: { name: 'q', namespace: 'other' } }))),
      messageOf(fresh, creating(pod({ metadata: { name: 'q', namespace: 'default' } }))),
      update({ name: 'q' }),
      update({ name: 'p', namespace: 'other' }),
      update({ name: 'p', namespace: '' }),
    ]).toEqual([OTHER, undefined, wrongName('q'), OTHER, undefined]);
    expect(update({})).toBe('400 the name of the object (p based on URL) was undeterminable: name must be provided');
  });
});

describe('fields that there are not', () => {
  const world = (isOn: boolean) => setup('k8s.io', { ServerSideFieldValidation: isOn });
  const sent = { ...pod(), zz: 1, spec: { containers: [{ name: 'c', image: 'i', yy: 2 }] } };
  const outcome = (isOn: boolean, options: object): unknown => {
    const response = answered(world(isOn), creating(sent, { dryRun: true, ...options }));
    return response.ok ? response.warnings : `${response.code} ${response.status.message ?? ''}`;
  };
  const all = ['unknown field "spec.containers[0].yy"', 'unknown field "zz"'];
  const duplicates = { duplicateFields: ['spec.a'] };

  it('are ignored, reported or refused, as the client asks, behind the gate', () => {
    const strict = (texts: readonly string[]) =>
      `400 Pod in version "v1" cannot be handled as a Pod: strict decoding error: ${texts.join(', ')}`;
    expect([
      outcome(true, {}),
      outcome(true, { fieldValidation: 'Ignore' }),
      outcome(false, { fieldValidation: 'Strict' }),
      outcome(true, { fieldValidation: '' }),
      outcome(true, { fieldValidation: 'Warn' }),
      outcome(true, { fieldValidation: 'Warn', ...duplicates }),
      outcome(true, { fieldValidation: 'Strict' }),
      outcome(true, { fieldValidation: 'Strict', ...duplicates }),
    ]).toEqual([
      undefined,
      undefined,
      undefined,
      all,
      all,
      ['duplicate field "spec.a"', ...all],
      strict(all),
      strict(['duplicate field "spec.a"', ...all]),
    ]);
  });
});
