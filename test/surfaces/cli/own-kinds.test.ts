/** Kinds that a scenario defines itself, in questions to its run: by resource and group, in forks, and converted by the scenario's webhook. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from './cli.ts';

const version = (name: string, storage: boolean) =>
  `{ name: ${name}, served: true, storage: ${storage}, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { volume: { type: string }, from: { type: string } } } } } } }`;
const DEFINED = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: defined }
spec:
  until: 10s
  domain: k8s.io
  webhooks: { backups.example.com: { when: "self.apiVersion == 'example.com/v1beta1'", mutate: { spec: { from: beta } } } }
  steps:
    - at: 1s
      apply:
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: { name: backups.example.com }
        spec:
          group: example.com
          scope: Namespaced
          names: { kind: Backup, plural: backups }
          conversion: { strategy: Webhook, webhook: { conversionReviewVersions: [v1], clientConfig: { service: { namespace: default, name: hooks } } } }
          versions: [${version('v1beta1', false)}, ${version('v1', true)}]
    - { at: 2s, create: { apiVersion: example.com/v1beta1, kind: Backup, metadata: { name: nightly }, spec: { volume: data } } }
`;
const cwd = mkdtempSync(join(tmpdir(), 'own-kinds-'));
writeFileSync(join(cwd, 'defined.yaml'), DEFINED);

test('state, why and forks know the kind of a definition, and the scenario converts its versions', async () => {
  expect((await cli(['state', 'backups.example.com/nightly', 'defined.yaml'], { cwd })).out).toContain(
    'spec: { from: beta, volume: data }',
  );
  expect((await cli(['why', 'Backup/nightly', 'defined.yaml'], { cwd })).out).toContain('create Backup');
  const { out } = await cli(['walk', 'defined.yaml', '--script', 'n n fork delete Backup/nightly'], { cwd });
  expect(out).toContain('  - Backup nightly');
});

test('where the webhook does not answer, the write is refused in the words of upstream', async () => {
  writeFileSync(
    join(cwd, 'failing.yaml'),
    DEFINED.replace(/webhooks: .*/, 'webhooks: { backups.example.com: { fails: no route to host } }'),
  );
  const { code, out } = await cli(['run', 'failing.yaml'], { cwd });
  expect(code).toBe(1);
  expect(out).toContain('conversion webhook for example.com/v1beta1, Kind=Backup failed: no route to host');
});

test('an autoscaler scales a custom resource by its scale; one without a selector says so', async () => {
  const scalable = (group: string, selector: string) => `
        - apiVersion: apiextensions.k8s.io/v1
          kind: CustomResourceDefinition
          metadata: { name: pools.${group} }
          spec:
            group: ${group}
            scope: Namespaced
            names: { kind: ${group === 'a.example.com' ? 'Pool' : 'Lake'}, plural: pools }
            versions:
              - name: v1
                served: true
                storage: true
                schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer } } }, status: { type: object, properties: { size: { type: integer }, pods: { type: string } } } } } }
                subresources: { scale: { specReplicasPath: .spec.size, statusReplicasPath: .status.size${selector} } }`;
  const scaler = (kind: string, group: string) =>
    `{ apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: { name: ${kind.toLowerCase()} }, spec: { scaleTargetRef: { apiVersion: ${group}/v1, kind: ${kind}, name: x }, maxReplicas: 9, metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }] } }`;
  const pod = (name: string) =>
    `{ apiVersion: v1, kind: Pod, metadata: { name: ${name}, labels: { in: x } }, spec: { containers: [{ name: c, image: c, resources: { requests: { cpu: 100m } } }] } }`;
  writeFileSync(
    join(cwd, 'scaled.yaml'),
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: scaled }
spec:
  until: 3m
  domain: k8s.io
  cluster: { nodes: { count: 1 }, usage: [{ selector: { matchLabels: { in: x } }, cpu: 100m }] }
  steps:
    - at: 1s
      apply:${scalable('a.example.com', ', labelSelectorPath: .status.pods')}${scalable('b.example.com', '')}
    - at: 2s
      create:
        - ${pod('one')}
        - ${pod('two')}
        - { apiVersion: a.example.com/v1, kind: Pool, metadata: { name: x }, spec: { size: 2 }, status: { size: 2, pods: in=x } }
        - { apiVersion: b.example.com/v1, kind: Lake, metadata: { name: x }, spec: { size: 2 }, status: { size: 2 } }
        - ${scaler('Pool', 'a.example.com')}
        - ${scaler('Lake', 'b.example.com')}
    - at: 100s
      expect:
        - { match: { kind: Pool, metadata: { name: x }, spec: { size: 4 } } }
        - { match: { kind: Lake, metadata: { name: x }, spec: { size: 2 } } }
        - { match: { kind: Event, reason: SelectorRequired, message: selector is required } }
`,
  );
  const { code, out } = await cli(['run', 'scaled.yaml'], { cwd });
  expect(out).toMatch(/^✓ scaled/);
  expect(code).toBe(0);
  const why = await cli(['why', 'HorizontalPodAutoscaler/lake', 'scaled.yaml'], { cwd });
  expect(why.out).toContain('its pods are not known: selector is required');
});
