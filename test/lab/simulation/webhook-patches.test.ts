/** What a scenario's webhook answers where its `mutate` is no merge patch: the request goes on without it. */
import { expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

/** Aliases nest deeper than the limit of a patch, in a file within the limit of files. */
const levels = (inner: string): string => '{ a: '.repeat(80) + inner + ' }'.repeat(80);
const deep = Array.from({ length: 7 }, (_, nth) => `x${nth}: &x${nth} ${levels(nth === 0 ? '1' : `*x${nth - 1}`)}`);

it.each([
  ['nests too deep', `{ metadata: { labels: { injected: "yes" } }, ${deep.join(', ')} }`],
  ['is no object', '"text"'],
])('a patch that %s', (_what, mutate) => {
  const read = readScenarios(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: patched }
spec:
  until: 5s
  webhooks: { labels.hooks.example.com: { mutate: ${mutate} } }
  steps:
    - apply:
        apiVersion: admissionregistration.orch.io/v1
        kind: MutatingWebhookConfiguration
        metadata: { name: labels }
        webhooks:
          - name: labels.hooks.example.com
            clientConfig: { service: { namespace: default, name: labels } }
            rules: [{ operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps] }]
            sideEffects: None
            admissionReviewVersions: [v1]
    - { at: 2s, create: { apiVersion: v1, kind: ConfigMap, metadata: { name: c } } }
    - { at: 3s, expect: [{ match: { kind: ConfigMap, metadata: { name: c } } }] }
`);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  expect(read.scenarios.flatMap((scenario) => simulate(scenario).failures.map(({ message }) => message))).toEqual([]);
});
