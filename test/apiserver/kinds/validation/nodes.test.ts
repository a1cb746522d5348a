/** Validation of Nodes: taints, in the spec and in the old annotation, ranges, sources of configuration, and what never changes. */
import { describe, expect, it } from 'vitest';
import { setup } from '../../handlers/setup.ts';
import { causesOf, causesOfUpdate, check } from './causes.ts';

const node = (spec: object = {}, metadata: object = {}, status: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', ...metadata },
  spec,
  status,
});
const TAINTS = 'scheduler.alpha.kubernetes.io/taints';
const AVOID = 'scheduler.alpha.kubernetes.io/preferAvoidPods';
const annotated = (key: string, text: string) => node({}, { annotations: { [key]: text } });
const unreadable = (text: string, why: string) =>
  [text, annotated(TAINTS, text), [`metadata.annotations: Invalid value: "${TAINTS}": ${why}`]] as const;
const misfit = (word: string, field: string, type = 'string') =>
  `json: cannot unmarshal ${word} into Go struct field Taint.${field} of type ${type}`;

describe('the old annotation of taints', () => {
  const at = `metadata.annotations.${TAINTS}`;
  check([
    ['an empty text', annotated(TAINTS, ''), []],
    ['null', annotated(TAINTS, 'null'), []],
    ['taints', annotated(TAINTS, '[{"key":"a","value":"b","effect":"NoSchedule"},{"key":"a","effect":"NoExecute"}]'), []],
    ['names in any case', annotated(TAINTS, '[{"KEY":"a","vaLue":"b","Effect":"NoSchedule"}]'), []],
    ['a later member with the same name', annotated(TAINTS, '[{"key":"!","effect":"NoSchedule","Key":"a"}]'), []],
    ['members that a taint does not have', annotated(TAINTS, '[{"key":"a","effect":"NoSchedule","other":5}]'), []],
    ['null for a member', annotated(TAINTS, '[{"key":"a","effect":"NoSchedule","value":null}]'), []],
    unreadable('{', 'unexpected end of JSON input'),
    unreadable('[1,]', "invalid character ']' looking for beginning of value"),
    unreadable('{}', 'json: cannot unmarshal object into Go value of type []core.Taint'),
    unreadable('"x"', 'json: cannot unmarshal string into Go value of type []core.Taint'),
    unreadable('true', 'json: cannot unmarshal bool into Go value of type []core.Taint'),
    unreadable('[5]', 'json: cannot unmarshal number into Go value of type core.Taint'),
    unreadable('[[]]', 'json: cannot unmarshal array into Go value of type core.Taint'),
    unreadable('[{"key":5}]', misfit('number', 'Key')),
    unreadable('[{"value":{}}]', misfit('object', 'Value')),
    unreadable('[{"EFFECT":[]}]', misfit('array', 'Effect', 'core.TaintEffect')),
    // The first problem is reported.
    unreadable('[{"value":true},{"key":5},"x"]', misfit('bool', 'Value')),
    [
      'null for a taint',
      annotated(TAINTS, '[null]'),
      [
        `${at}[0].key: Invalid value: "": name part must be non-empty`,
        expect.stringContaining(`${at}[0].key: `),
        `${at}[0].effect: Required value`,
      ],
    ],
    [
      'taints that are not valid',
      annotated(TAINTS, '[{"key":"a","value":"!","effect":"Never"},{"key":"b","effect":"NoSchedule"},{"key":"b","effect":"NoSchedule"}]'),
      [
        expect.stringMatching(
          /^metadata\.annotations\.scheduler\.alpha\.kubernetes\.io\/taints\[0\]\.value: Invalid value: "!": a valid label must be/,
        ),
        `${at}[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
        `${at}[2]: Duplicate value: core.Taint{Key:"b", Value:"", Effect:"NoSchedule", TimeAdded:<nil>}: taints must be unique by key and effect pair`,
      ],
    ],
  ] as never);

  it('is checked beside the annotation of pods to avoid, which is just JSON', () => {
    expect(causesOf(annotated(AVOID, ''))).toEqual([]);
    expect(causesOf(annotated(AVOID, '[5]'))).toEqual([]);
    expect(causesOf(annotated(AVOID, '{'))).toEqual([
      `metadata.annotations.AvoidPods: Invalid value: "${AVOID}": unexpected end of JSON input`,
    ]);
  });
});

describe('a node', () => {
  const V4 = '10.0.0.0/8';
  const V6 = 'fd00::/8';
  const ranges = (...given: readonly string[]) => node({ podCIDRs: given });
  const family = (...given: readonly string[]) =>
    `spec.podCIDRs: Invalid value: []string{${given.map((range) => JSON.stringify(range)).join(', ')}}: may specify no more than one CIDR for each IP family`;
  check([
    [
      'taints in its spec',
      node({
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'b', effect: 'NoSchedule' },
        ],
      }),
      [],
    ],
    [
      'a taint twice',
      node({
        taints: [
          { key: 'a', value: '1', effect: 'NoSchedule' },
          { key: 'a', value: '2', effect: 'NoSchedule' },
        ],
      }),
      [
        'metadata.taints[1]: Duplicate value: core.Taint{Key:"a", Value:"2", Effect:"NoSchedule", TimeAdded:<nil>}: taints must be unique by key and effect pair',
      ],
    ],
    ['one range', ranges(V4), []],
    ['a range of each family', ranges(V4, V6), []],
    ['one range that is none', ranges('x'), ['spec.podCIDRs[0]: Invalid value: []string{"x"}: must be valid CIDR']],
    ['two ranges of one family', ranges(V6, 'fe00::/8'), [family(V6, 'fe00::/8')]],
    ['three ranges', ranges(V4, V6, V4), [family(V4, V6, V4), `spec.podCIDRs[2]: Duplicate value: "${V4}"`]],
    [
      'two ranges of which one is none',
      ranges(V4, 'x'),
      [
        `spec.podCIDRs[1]: Invalid value: []string{"${V4}", "x"}: must be valid CIDR`,
        'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:failed to parse cidr value:"x" with error:invalid CIDR address: x',
        family(V4, 'x'),
      ],
    ],
    [
      'amounts that are none',
      node({}, {}, { capacity: { cpu: '-1' }, allocatable: { memory: '-1' } }),
      [
        'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
        'status.allocatable.memory: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ],
  ]);
});

describe('a change of a node', () => {
  const once = (field: string, name: string) => `spec.${field}: Forbidden: node updates may not change ${name} except from "" to valid`;
  it.each<readonly [string, object, object, readonly string[]]>([
    ['gets ranges and a provider', {}, { podCIDR: '10.0.0.0/8', podCIDRs: ['10.0.0.0/8'], providerID: 'p' }, []],
    ['keeps them', { podCIDRs: ['10.0.0.0/8'], providerID: 'p' }, {}, []],
    ['another range', { podCIDRs: ['10.0.0.0/8'] }, { podCIDR: '11.0.0.0/8', podCIDRs: ['11.0.0.0/8'] }, [once('podCIDRs', 'podCIDR')]],
    ['a second range', { podCIDRs: ['10.0.0.0/8'] }, { podCIDRs: ['10.0.0.0/8', 'fd00::/8'] }, [once('podCIDRs', 'podCIDR')]],
    [
      'two other ranges',
      { podCIDRs: ['10.0.0.0/8', 'fd00::/8'] },
      { podCIDR: 'fd00::/8', podCIDRs: ['fd00::/8', '10.0.0.0/8'] },
      [once('podCIDRs', 'podCIDR'), once('podCIDRs', 'podCIDR')],
    ],
    ['another provider', { providerID: 'p' }, { providerID: 'q' }, [once('providerID', 'providerID')]],
    ['no provider', { providerID: 'p' }, { providerID: undefined }, [once('providerID', 'providerID')]],
    ['another name', { externalID: 'a' }, { externalID: 'b' }, ['spec.externalID: Forbidden: may not be updated']],
    ['no such name', { externalID: 'a' }, { externalID: undefined }, ['spec.externalID: Forbidden: may not be updated']],
  ])('%s', (_, before, after, causes) => {
    const alter = (made: object) => ({ ...made, spec: { ...(made as { readonly spec: object }).spec, ...after } });
    expect(causesOfUpdate(node(before), alter)).toEqual(causes);
  });

  it('reports addresses and amounts that are not valid', () => {
    const status = {
      addresses: [
        { type: 'Hostname', address: 'a' },
        { type: 'Hostname', address: 'b' },
        { type: 'Hostname', address: 'a' },
      ],
      capacity: { cpu: '-1' },
    };
    const world = setup();
    world.ok({ verb: 'create', kind: 'Node', body: node() });
    const refused = world.refused({ verb: 'update', kind: 'Node', name: 'n', subresource: 'status', body: node({}, {}, status) });
    expect(refused.details?.causes?.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
      'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0',
      'status.addresses[2]: Duplicate value: core.NodeAddress{Type:"Hostname", Address:"a"}',
    ]);
  });
});

describe('the source of an agent’s configuration', () => {
  const gates = { DynamicKubeletConfig: true };
  const map = (more: object) => ({ configMap: { namespace: 'default', name: 'c', kubeletConfigKey: 'k', ...more } });
  const LABEL = expect.stringContaining('a lowercase RFC 1123 label must consist of');
  const cases: readonly (readonly [object, readonly unknown[]])[] = [
    [map({}), []],
    [
      {},
      [
        '.: Invalid value: core.NodeConfigSource{ConfigMap:(*core.ConfigMapNodeConfigSource)(nil)}: exactly one reference subfield must be non-nil',
      ],
    ],
    [
      map({ namespace: '', name: '', kubeletConfigKey: '' }),
      [
        '.configMap.namespace: Required value: namespace must be set',
        '.configMap.name: Required value: name must be set',
        '.configMap.kubeletConfigKey: Required value: kubeletConfigKey must be set',
      ],
    ],
    [map({ namespace: 'A' }), [LABEL]],
    [map({ name: 'A' }), [expect.stringMatching(/^\.configMap\.name: Invalid value: "A": a lowercase RFC 1123 subdomain/)]],
    [map({ kubeletConfigKey: '!' }), [expect.stringMatching(/^\.configMap\.kubeletConfigKey: Invalid value: "!": a valid config key/)]],
  ];

  it.each(cases)('%j in a spec', (source, causes) => {
    const found = causesOf(node({ configSource: source }), setup('k8s.io', gates)).map((text) =>
      text.replace('spec.configSource', '').replace(/^:/, '.:'),
    );
    expect(found).toEqual(causes);
    expect(causesOf(node({ configSource: source }))).toEqual([]);
  });

  it('has neither uid nor version in a spec', () => {
    expect(causesOf(node({ configSource: map({ uid: 'u', resourceVersion: '5' }) }), setup('k8s.io', gates))).toEqual([
      'spec.configSource.configMap.uid: Forbidden: uid must not be set in spec',
      'spec.configSource.configMap.resourceVersion: Forbidden: resourceVersion must not be set in spec',
    ]);
  });

  it('is whole where it is reported', () => {
    const world = setup('k8s.io', gates);
    world.ok({ verb: 'create', kind: 'Node', body: node() });
    const known = { uid: 'u', resourceVersion: '5' };
    const reported = (config: object) => {
      const request = {
        verb: 'update',
        kind: 'Node',
        name: 'n',
        subresource: 'status',
        dryRun: ['All'],
        body: node({}, {}, { config }),
      } as const;
      return world.refused(request).details?.causes?.map(({ field, message }) => `${field}: ${message}`);
    };
    expect(reported({ assigned: map({}), active: map({ ...known, name: '' }), lastKnownGood: {} })).toEqual([
      'status.config.assigned.configMap.uid: Required value: uid must be set in status',
      'status.config.assigned.configMap.resourceVersion: Required value: resourceVersion must be set in status',
      'status.config.active.configMap.name: Required value: name must be set',
      'status.config.lastKnownGood: Invalid value: core.NodeConfigSource{ConfigMap:(*core.ConfigMapNodeConfigSource)(nil)}: exactly one reference subfield must be non-nil',
    ]);
  });
});
