/**
 * Random scenarios around Services: pods that are created and deleted and change their labels and readiness, Services whose selectors and
 * ports change, endpoints that users delete.
 */
import fc from 'fast-check';
import type { Manifest, Scenario, Step } from '../scenario/index.ts';
import { scenariosOf, type ScenarioSize } from './generator.ts';
import { present } from '../../schema/values/index.ts';
import { deleting, expecting, later, MINUTE, patching, SECOND, writing } from './steps.ts';
import { faultsOf, mended, silencesOf } from './troubles.ts';
import { READY as READY_DELAY } from './workloads.ts';

const NODES = ['node-0', 'node-1'];
const SERVICES = ['front', 'back'];
const APPS = ['red', 'blue'];
const PODS = ['p0', 'p1', 'p2', 'p3'];

const apps = fc.constantFrom(...APPS);
const ports = fc.constantFrom(
  [{ port: 80 }],
  [{ port: 80, targetPort: 'web' }],
  [
    { name: 'a', port: 80 },
    { name: 'b', port: 81, targetPort: 8080 },
  ],
);
const service = (name: string): fc.Arbitrary<Manifest> =>
  fc
    .record({
      app: apps,
      ports,
      headless: fc.constantFrom(false, false, true),
      publishNotReadyAddresses: fc.constantFrom(false, false, false, true),
    })
    .map(({ app, ports: wanted, headless, publishNotReadyAddresses }) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: {
        selector: { app },
        ports: wanted,
        ...(headless ? { clusterIP: 'None' } : {}),
        ...(publishNotReadyAddresses ? { publishNotReadyAddresses } : {}),
      },
    }));
/** Returns a pod that becomes ready after a while, or only at the end, and may have the port that a Service names. */
const pod = (name: string): fc.Arbitrary<Manifest> =>
  fc.record({ app: apps, ready: fc.constantFrom('0', '0.3', '5', '900'), named: fc.boolean() }).map(({ app, ready, named }) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app }, annotations: { [READY_DELAY]: ready } },
    spec: {
      terminationGracePeriodSeconds: 2,
      containers: [{ name: 'c', image: 'sim:1', ...(named ? { ports: [{ name: 'web', containerPort: 8080 }] } : {}) }],
    },
  }));

const services = fc.constantFrom(...SERVICES);
const pods = fc.constantFrom(...PODS);
/** Creates an object where there is none; immutable fields of existing Services and pods stay. */
const afresh = (kind: string, names: fc.Arbitrary<string>, make: (name: string) => fc.Arbitrary<Manifest>): fc.Arbitrary<readonly Step[]> =>
  names
    .chain((name) => fc.tuple(fc.constant(name), make(name)))
    .map(([name, manifest]) => [deleting({ kind, name }, { gracePeriodSeconds: 0 }), later(3 * SECOND, writing('apply', manifest))]);

const operations: fc.Arbitrary<Step | readonly Step[]> = fc.oneof(
  afresh('Service', services, service),
  afresh('Pod', pods, pod),
  fc.tuple(services, apps).map(([name, app]) => patching({ kind: 'Service', name }, { spec: { selector: { app } } })),
  fc.tuple(services, ports).map(([name, wanted]) => patching({ kind: 'Service', name }, { spec: { ports: wanted } })),
  services.map((name) => deleting({ kind: 'Service', name })),
  fc.tuple(pods, fc.constantFrom(...APPS, 'grey')).map(([name, app]) => patching({ kind: 'Pod', name }, { metadata: { labels: { app } } })),
  fc
    .tuple(pods, fc.constantFrom(undefined, 0))
    .map(([name, gracePeriodSeconds]) => deleting({ kind: 'Pod', name }, present({ gracePeriodSeconds }))),
  services.map((name) => deleting({ kind: 'Endpoints', name })),
  fc.integer({ min: 1, max: 3 }).map((nth) => deleting({ kind: 'EndpointSlice', nth })),
);

const SELECTED = 'p.metadata.labels.app == s.spec.selector.app && p.status.?podIP.hasValue()';
const READY = "(s.spec.?publishNotReadyAddresses.orValue(false) || p.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True'))";
const NAMED =
  "(!s.spec.ports.exists(t, t.?targetPort.orValue('') == 'web') || p.spec.containers[0].?ports.orValue([]).exists(t, t.name == 'web'))";
const SUBSETS = "object('Endpoints/' + s.metadata.name).?subsets.orValue([])";
const SLICES = "objects('EndpointSlice').filter(e, e.metadata.labels['orch.io/service-name'] == s.metadata.name)";
const WITH_SELECTOR = "objects('Service').filter(s, s.metadata.name != 'orch')";
/** A recount: the pods behind a Service, ready or not, are in its endpoints and slices, and no others. */
const recounted: readonly string[] = [
  `${WITH_SELECTOR}.all(s, objects('Pod').all(p, !(${SELECTED} && ${NAMED} && ${READY}) || ${SUBSETS}.exists(t, t.?addresses.orValue([]).exists(a, a.ip == p.status.podIP))))`,
  `${WITH_SELECTOR}.all(s, ${SUBSETS}.all(t, t.?addresses.orValue([]).all(a, objects('Pod').exists(p, ${SELECTED} && ${NAMED} && ${READY} && a.ip == p.status.podIP))))`,
  `${WITH_SELECTOR}.all(s, objects('Pod').all(p, !(${SELECTED} && ${NAMED}) || ${SLICES}.exists(e, e.endpoints != null && e.endpoints.exists(a, a.addresses[0] == p.status.podIP && a.conditions.ready == ${READY}))))`,
  `${WITH_SELECTOR}.all(s, ${SLICES}.all(e, e.endpoints == null || e.endpoints.all(a, objects('Pod').exists(p, ${SELECTED} && a.addresses[0] == p.status.podIP))))`,
  "objects('EndpointSlice').all(e, e.metadata.labels['orch.io/service-name'] == 'orch' || objects('Service').exists(s, s.metadata.name == e.metadata.labels['orch.io/service-name']))",
  "objects('Endpoints').all(e, objects('Service').exists(s, s.metadata.name == e.metadata.name))",
];

/** After a stale list there would be a second slice without endpoints until the Service changes, as upstream. */
const AWARE = { staleLists: false } as const;

/**
 * Returns scenarios with two Services over four pods on two nodes. Each ends without faults, with endpoints and slices that agree with a
 * recount.
 */
export const serviceScenarios = ({ maxSteps = 8 }: ScenarioSize = {}): fc.Arbitrary<Scenario> =>
  scenariosOf({
    nodes: NODES,
    setup: fc.tuple(...SERVICES.map(service), ...PODS.map(pod)),
    steps: fc.oneof(
      { weight: 5, arbitrary: operations },
      { weight: 2, arbitrary: faultsOf(['controller-manager', 'controller-manager', 'agent/node-0'], AWARE) },
      { weight: 1, arbitrary: silencesOf(NODES) },
    ),
    maxSteps,
    make: (objects, steps) => ({
      steps: [
        writing('apply', ...objects),
        ...steps,
        ...mended(MINUTE, ['controller-manager', ...NODES.map((node) => `agent/${node}`)], NODES),
        // Two changes closer together than the watch latency may leave Endpoints wrong until the next sync, as v1.24's do (regression
        // 030).
        ...SERVICES.map((name) => later(MINUTE, patching({ kind: 'Service', name }, { metadata: { labels: { asked: 'again' } } }))),
        later(10 * MINUTE, expecting(...recounted)),
      ],
    }),
  });
