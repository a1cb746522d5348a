/** Fields of pods whose gates are off: dropped on create and update, in pods and in templates, unless the stored object has them. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, FeatureGates } from '../../../src/apiserver/machinery/index.ts';
import { setup } from './setup.ts';

type Members = Readonly<Record<string, unknown>>;
const CONTAINER = { name: 'c', image: 'c:1' };
const probe = (more: object) => ({ livenessProbe: { tcpSocket: { port: 1 }, ...more }, startupProbe: { tcpSocket: { port: 1 }, ...more } });
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', minDomains: 2 };

interface Case {
  readonly gate: string;
  readonly spec: Members;
  /** Reads the value that shows whether the field is present, and the expected values with and without it. */
  readonly read: (spec: Members) => unknown;
  readonly kept: unknown;
  readonly dropped: unknown;
}
const first = (spec: Members, list: string) => (spec[list] as readonly Members[])[0] ?? {};

const CASES: readonly Case[] = [
  {
    gate: 'LocalStorageCapacityIsolation',
    spec: { volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Gi' } }] },
    read: (spec) => first(spec, 'volumes')['emptyDir'],
    kept: { sizeLimit: '1Gi' },
    dropped: {},
  },
  {
    gate: 'ProbeTerminationGracePeriod',
    spec: { containers: [{ ...CONTAINER, ...probe({ terminationGracePeriodSeconds: 5 }) }] },
    read: (spec) =>
      ['livenessProbe', 'startupProbe'].map((name) => (first(spec, 'containers')[name] as Members)['terminationGracePeriodSeconds']),
    kept: [5, 5],
    dropped: [undefined, undefined],
  },
  {
    gate: 'ProcMountType',
    spec: { containers: [{ ...CONTAINER, securityContext: { procMount: 'Unmasked' } }] },
    read: (spec) => first(spec, 'containers')['securityContext'],
    kept: { procMount: 'Unmasked' },
    dropped: { procMount: 'Default' },
  },
  {
    gate: 'IdentifyPodOS',
    spec: { os: { name: 'linux' } },
    read: (spec) => spec['os'],
    kept: { name: 'linux' },
    dropped: undefined,
  },
  {
    gate: 'MinDomainsInPodTopologySpread',
    spec: { topologySpreadConstraints: [spread] },
    read: (spec) => first(spec, 'topologySpreadConstraints')['minDomains'],
    kept: 2,
    dropped: undefined,
  },
];

const VERSIONS: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
};

const labels = { app: 'a' };
const templateOf = (spec: Members) => ({ metadata: { labels }, spec: { containers: [CONTAINER], ...spec } });
/** Creates an object of a kind with such pods, and returns the pod specification of the result. */
function specOf(kind: string, pod: Members): Members {
  if (kind === 'Pod') return templateOf(pod).spec;
  const finite = { template: templateOf({ ...pod, restartPolicy: 'Never' }) };
  if (kind === 'Job') return finite;
  if (kind === 'CronJob') return { schedule: '* * * * *', jobTemplate: { spec: finite } };
  return { selector: { matchLabels: labels }, template: templateOf(pod), ...(kind === 'StatefulSet' ? { serviceName: 's' } : {}) };
}
function podOf({ kind, ...object }: ApiObject): Members {
  const spec = object['spec'] as Members;
  const of = (owner: Members): Members => (owner['template'] as { readonly spec: Members }).spec;
  return kind === 'Pod' ? spec : of(kind === 'CronJob' ? (spec['jobTemplate'] as { readonly spec: Members }).spec : spec);
}

function world(gates: FeatureGates, kind: string) {
  const { ok, refused } = setup('k8s.io', gates);
  const body = (pod: Members) => ({ apiVersion: VERSIONS[kind] ?? 'v1', kind, metadata: { name: 'x' }, spec: specOf(kind, pod) });
  return {
    created: (pod: Members) => ok({ verb: 'create', kind, namespace: 'default', body: body(pod) }),
    refusal: (pod: Members) => refused({ verb: 'create', kind, namespace: 'default', body: body(pod) }),
    updated: (stored: ApiObject, pod: Members) =>
      ok({
        verb: 'update',
        kind,
        namespace: 'default',
        name: 'x',
        body: { ...stored, spec: { ...(stored['spec'] as Members), ...specOf(kind, pod) } },
      }),
  };
}

describe('a gate that is off drops its field from', () => {
  for (const { gate, spec, read, kept, dropped } of CASES) {
    for (const kind of ['Pod', ...Object.keys(VERSIONS)])
      it(`${gate}: new objects of kind ${kind}`, () => {
        expect(read(podOf(world({ [gate]: true }, kind).created(spec)))).toEqual(kept);
        expect(read(podOf(world({ [gate]: false }, kind).created(spec)))).toEqual(dropped);
      });

    for (const kind of ['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet', 'CronJob'])
      it(`${gate}: changed templates of kind ${kind}`, () => {
        const { created, updated } = world({ [gate]: false }, kind);
        expect(read(podOf(updated(created({}), spec)))).toEqual(dropped);
      });
  }

  it('CSIInlineVolume: volumes, which have no source then', () => {
    const spec = { volumes: [{ name: 'v', csi: { driver: 'd.example' } }] };
    expect(first(podOf(world({}, 'Pod').created(spec)), 'volumes')['csi']).toEqual({ driver: 'd.example' });
    expect(world({ CSIInlineVolume: false }, 'Pod').refusal(spec).details?.causes).toEqual([
      { reason: 'FieldValueRequired', message: 'Required value: must specify a volume type', field: 'spec.volumes[0]' },
    ]);
  });
});

const KINDS = ['Pod', ...Object.keys(VERSIONS)];
/** v1.24 judges the pods of a StatefulSet when they are made, and not its template. */
const JUDGED = KINDS.filter((kind) => kind !== 'StatefulSet');
const specField = (kind: string): string => ({ Pod: 'spec', CronJob: 'spec.jobTemplate.spec.template.spec' })[kind] ?? 'spec.template.spec';

describe('a gate that is off forbids', () => {
  /** The fields and messages of a refusal with the gate off, of what is taken with it on. */
  const refused = (gate: string, kind: string, spec: Members) => {
    world({}, kind).created(spec);
    return world({ [gate]: false }, kind)
      .refusal(spec)
      .details?.causes?.map(({ field, message }) => `${field}: ${message}`);
  };

  it.each(JUDGED)('GRPCContainerProbe: probes of gRPC, which are probes of nothing then', (kind) => {
    const grpc = { grpc: { port: 1 } };
    const spec = { containers: [{ ...CONTAINER, livenessProbe: grpc, readinessProbe: grpc }] };
    const causes = refused('GRPCContainerProbe', kind, spec);
    for (const probe of ['livenessProbe', 'readinessProbe'])
      expect(causes).toContain(`${specField(kind)}.containers[0].${probe}: Required value: must specify a handler type`);
    world({ GRPCContainerProbe: false }, kind).created({ containers: [{ ...CONTAINER, ...probe({}) }] });
  });

  it.each(JUDGED)('AltOSHostProcessContainers: containers that are processes of their host', (kind) => {
    const windowsOptions = { hostProcess: true };
    for (const spec of [
      { hostNetwork: true, securityContext: { windowsOptions } },
      { hostNetwork: true, containers: [{ ...CONTAINER, securityContext: { windowsOptions } }] },
    ])
      expect(refused('AltOSHostProcessContainers', kind, spec)).toEqual([
        `${specField(kind)}: Forbidden: pod must not contain hostProcess containers when the feature gate 'AltOSHostProcessContainers' is not enabled`,
      ]);
  });

  it.each(JUDGED)('DownwardAPIHugePages: huge pages in variables and files', (kind) => {
    const ref = { resource: 'limits.hugepages-2Mi' };
    const items = [{ path: 'p', resourceFieldRef: { ...ref, containerName: 'c' } }];
    const spec = {
      volumes: [
        { name: 'v', downwardAPI: { items } },
        { name: 'w', projected: { sources: [{ downwardAPI: { items } }] } },
      ],
      containers: [{ ...CONTAINER, env: [{ name: 'N', valueFrom: { resourceFieldRef: ref } }] }],
    };
    const problem =
      'Unsupported value: "limits.hugepages-2Mi": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"';
    expect(refused('DownwardAPIHugePages', kind, spec)?.sort()).toEqual(
      ['containers[0].env[0].valueFrom', 'volumes[0].downwardAPI', 'volumes[1].projected.sources[0].downwardAPI'].map(
        (path) => `${specField(kind)}.${path}.resourceFieldRef.resource: ${problem}`,
      ),
    );
  });
});

describe('a gate that is off takes from metadata', () => {
  it.each(KINDS)('ProfileConfinement: annotations of profiles', (kind) => {
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined', other: 'a' };
    const annotated = (gates: FeatureGates) => {
      const { ok } = setup('k8s.io', gates);
      const place = { metadata: { labels, annotations } };
      const spec = JSON.parse(JSON.stringify(specOf(kind, {})), (key, value: object) =>
        key === 'template' ? { ...value, ...place } : value,
      ) as Members;
      const metadata = { name: 'x', ...(kind === 'Pod' ? { annotations } : {}) };
      const made = ok({ verb: 'create', kind, namespace: 'default', body: { apiVersion: VERSIONS[kind] ?? 'v1', kind, metadata, spec } });
      const found: unknown[] = [];
      JSON.stringify(made, (key, value: unknown) => {
        if (key === 'annotations') found.push(Object.keys(value as object).filter((name) => !name.startsWith('deprecated')));
        return value;
      });
      return found.flat();
    };
    expect(annotated({})).toEqual(Object.keys(annotations));
    expect(annotated({ ProfileConfinement: false })).toEqual(['other']);
  });
});

describe('a gate that is off keeps limits', () => {
  it('ExpandedDNSConfig: no more than 6 domains of 256 characters, and with it 32 of 2048', () => {
    const searching = (count: number, length: number): Members => ({
      dnsConfig: { searches: Array.from({ length: count }, (_, at) => `${at}`.padEnd(length, 'a')) },
    });
    for (const kind of ['Pod', 'Deployment']) {
      const field = kind === 'Pod' ? 'spec.dnsConfig.searches' : 'spec.template.spec.dnsConfig.searches';
      const causes = (gate: boolean, pod: Members) =>
        world({ ExpandedDNSConfig: gate }, kind)
          .refusal(pod)
          .details?.causes?.map((cause) => [cause.field, cause.message?.split(': ').at(-1)]);
      expect(causes(false, searching(7, 8))).toEqual([[field, 'must not have more than 6 search paths']]);
      expect(causes(false, searching(5, 60))).toEqual([
        [field, 'must not have more than 256 characters (including spaces) in the search list'],
      ]);
      expect(causes(true, searching(33, 8))).toEqual([[field, 'must not have more than 32 search paths']]);
      const stored = (pod: Members) => (podOf(world({ ExpandedDNSConfig: true }, kind).created(pod))['dnsConfig'] as Members)['searches'];
      expect(stored(searching(32, 63))).toHaveLength(32);
      expect(stored(searching(7, 8))).toHaveLength(7);
    }
  });
});

describe('a gate that is turned off later', () => {
  it('keeps the field of objects that have it', () => {
    const gates: Record<string, boolean> = { ProbeTerminationGracePeriod: true };
    const { created, updated } = world(gates, 'Deployment');
    const { read, spec } = CASES[1] as Case;
    const stored = created(spec);
    gates['ProbeTerminationGracePeriod'] = false;
    const longer = { containers: [{ ...CONTAINER, ...probe({ terminationGracePeriodSeconds: 9 }) }] };
    expect(read(podOf(updated(stored, longer)))).toEqual([9, 9]);
  });
});
