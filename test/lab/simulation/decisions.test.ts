/**
 * Expectations about decision rules: their messages when the answer differs, and when the question is invalid. The scenarios under
 * scenarios/decisions show that they hold.
 */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const WORLD = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: a }
spec:
  cluster: { nodes: [{ name: node-0, labels: { zone: a } }] }
  steps:
    - waitFor: { match: { kind: Pod, metadata: { name: web }, status: { phase: Running } } }
    - waitFor: { match: { kind: EndpointSlice, endpoints: [{ targetRef: { name: web } }] } }
    - expect: [EXPECTATION]
---
{ apiVersion: v1, kind: Pod, metadata: { name: web, labels: { app: web } }, spec: { containers: [{ name: c, image: i, ports: [{ name: http, containerPort: 8080 }] }] } }
---
{ apiVersion: v1, kind: Pod, metadata: { name: cli }, spec: { containers: [{ name: c, image: i }] } }
---
{ apiVersion: v1, kind: Service, metadata: { name: web }, spec: { selector: { app: web }, ports: [{ port: 80, targetPort: http }] } }
---
{ apiVersion: networking.orch.io/v1, kind: NetworkPolicy, metadata: { name: shut }, spec: { podSelector: { matchLabels: { app: web } }, ingress: [{ ports: [{ port: 8080 }], from: [{ podSelector: { matchLabels: { app: web } } }] }] } }
---
{ apiVersion: networking.orch.io/v1, kind: IngressClass, metadata: { name: edge }, spec: { controller: x.io/y } }
---
{ apiVersion: networking.orch.io/v1, kind: Ingress, metadata: { name: site }, spec: { ingressClassName: edge, tls: [{ secretName: cert }], defaultBackend: { service: { name: web, port: { number: 80 } } } } }
---
{ apiVersion: storage.orch.io/v1, kind: CSIStorageCapacity, metadata: { name: all }, storageClassName: fast, capacity: 10Gi, nodeTopology: {} }
---
{ apiVersion: apiregistration.orch.io/v1, kind: APIService, metadata: { name: v1beta1.x.io }, spec: { group: x.io, version: v1beta1, groupPriorityMinimum: 10, versionPriority: 10 } }
---
{ apiVersion: apiregistration.orch.io/v1, kind: APIService, metadata: { name: v1.x.io }, spec: { group: x.io, version: v1, groupPriorityMinimum: 10, versionPriority: 10 } }
`;

/** Message and detail of the failure, `held` if there is none. */
function answerTo(expectation: string): string {
  const scenario = scenarioIn(WORLD.replace('EXPECTATION', () => expectation));
  const { failures } = simulate(scenario);
  return failures.length === 0
    ? 'held'
    : failures.map(({ message, detail }) => [message, ...detail.map((line) => line.trim())].join(': ')).join('\n');
}

describe('expectations about decisions', () => {
  it.each([
    [
      'traffic: { from: Pod/cli, to: Pod/web, port: 8080 }',
      'expected traffic from Pod/cli to Pod/web on TCP 8080 to pass: Pod default/web is isolated for ingress, and policy default/shut has no rule that allows it (ingress[0] of policy default/shut allows TCP 8080, but not with Pod default/cli)',
    ],
    ['traffic: { from: Pod/cli, to: Service/web, port: 80, is: false }', 'held'],
    [
      'traffic: { from: { kind: Pod, labels: { app: web } }, to: { address: 203.0.113.7 }, port: 1, is: false }',
      'expected traffic from Pod with app=web to 203.0.113.7 on TCP 1 to be stopped: no policy selects Pod default/web for egress',
    ],
    ['traffic: { from: Node/node-0, to: Pod/web, port: 1 }', 'held'],
    ['traffic: { from: Pod/nobody, to: Pod/web, port: 1 }', 'there is no Pod/nobody'],
    [
      'traffic: { from: Job/a, to: Pod/web, port: 1 }',
      'traffic has a Pod, a Node or { address } at its ends (as receiver also a Service), not Job/a',
    ],
    ['traffic: { from: Pod/cli, to: Service/web, port: 81 }', 'Service/web has no ready endpoint on port 81'],
    ['traffic: { from: Pod/cli, to: Service/none, port: 81 }', 'there is no Service/none'],
    ['backend: { host: h.io, path: /, is: "web:80" }', 'held'],
    ['backend: { host: h.io, path: /, is: "default/web:80", tls: true, secret: cert }', 'held'],
    [
      'backend: { host: h.io, path: /, is: none }',
      'expected http://h.io/ to go to none, found web:80: no rule matches h.io/; Ingress default/site has a default backend',
    ],
    [
      'backend: { host: h.io, path: /, tls: true, is: "web:80", secret: other }',
      'expected TLS of https://h.io/ to end with secret other, found cert: no rule matches h.io/; Ingress default/site has a default backend',
    ],
    [
      'backend: { ingress: Ingress/none, host: h.io, path: /, is: "web:80" }',
      'expected http://h.io/ to go to web:80, found none: there is no Ingress',
    ],
    ['endpoints: { service: web, is: [web] }', 'held'],
    ['endpoints: { service: web, is: [] }', 'expected the endpoints of service default/web to be none, found web:8080'],
    [
      'endpoints: { service: web, zone: a, is: ["web:8080", "web:9090"] }',
      'expected the endpoints of service default/web in zone a to be web:8080, web:9090, found web:8080',
    ],
    ['endpoints: { service: web, via: Endpoints, is: ["web:8080"] }', 'held'],
    ['endpoints: { service: zzz, is: [] }', 'there is no EndpointSlice of service default/zzz'],
    ['capacity: { storageClass: fast, size: 10Gi, node: node-0 }', 'held'],
    [
      'capacity: { storageClass: fast, size: 11Gi, node: node-0 }',
      'expected capacity for 11Gi of class fast on node-0: 11Gi of class fast are requested; default/all, the largest, has 10Gi left',
    ],
    [
      'capacity: { storageClass: fast, size: 1Gi, node: node-0, is: false }',
      'expected no capacity for 1Gi of class fast on node-0: default/all has 10Gi left',
    ],
    ['capacity: { storageClass: fast, size: 1Gi, node: node-9 }', 'there is no Node node-9'],
    ['preferred: { group: x.io, is: v1 }', 'held'],
    ['preferred: { group: x.io, is: v1beta1 }', 'expected v1beta1 to be the preferred version of x.io, found v1'],
    ['preferred: { group: y.io, is: none }', 'held'],
  ])('%s', (expectation, answer) => {
    expect(answerTo(`{ ${expectation} }`)).toBe(answer);
  });
});

describe('waiting for one', () => {
  it('evaluates again when one of its kinds has changed', () => {
    const read = readScenarios(
      WORLD.replace(
        '    - expect: [EXPECTATION]',
        '    - at: 5s\n      delete: Pod/web\n    - waitFor: { endpoints: { service: web, is: [] }, within: 40s }',
      ),
    );
    expect('scenarios' in read ? read.scenarios.map((scenario) => simulate(scenario).failures) : read).toEqual([[]]);
  });
});
