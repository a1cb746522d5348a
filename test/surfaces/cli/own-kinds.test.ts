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
