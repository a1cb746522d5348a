/** What is valid of the affinity of pods to nodes and to other pods. */
import { describe } from 'vitest';
import { check, LABEL, NAME_PART, podOf, SUBDOMAIN } from './causes.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

describe('affinity to nodes', () => {
  const node = (nodeAffinity: object) => podOf({ affinity: { nodeAffinity } });
  const terms = (...nodeSelectorTerms: readonly object[]) => node({ [REQUIRED]: { nodeSelectorTerms } });
  const labels = (...matchExpressions: readonly object[]) => ({ matchExpressions });
  const fields = (...matchFields: readonly object[]) => ({ matchFields });
  check([
    [
      'may select by labels and by the name of the node',
      node({
        [REQUIRED]: {
          nodeSelectorTerms: [
            {},
            labels(
              { key: 'a', operator: 'In', values: ['1', '2'] },
              { key: 'a', operator: 'NotIn', values: ['any thing'] },
              { key: 'a', operator: 'Exists' },
              { key: 'a', operator: 'DoesNotExist', values: [] },
              { key: 'a', operator: 'Gt', values: ['1'] },
              { key: 'a.b/c', operator: 'Lt', values: ['x'] },
            ),
            fields({ key: 'metadata.name', operator: 'In', values: ['n'] }, { key: 'metadata.name', operator: 'NotIn', values: ['n'] }),
          ],
        },
        [PREFERRED]: [
          { weight: 1, preference: labels({ key: 'a', operator: 'Exists' }) },
          { weight: 100, preference: {} },
        ],
      }),
      [],
    ],
    [
      'has values by the operator',
      terms(
        labels(
          { key: 'a', operator: 'In', values: [] },
          { key: 'a', operator: 'NotIn' },
          { key: 'a', operator: 'Exists', values: ['1'] },
          { key: 'a', operator: 'DoesNotExist', values: ['1'] },
          { key: 'a', operator: 'Gt', values: ['1', '2'] },
          { key: 'a', operator: 'Lt' },
          { key: 'a b', operator: 'Like', values: ['1'] },
        ),
        fields(
          { key: 'metadata.name', operator: 'In', values: ['a', 'b'] },
          { key: 'metadata.name', operator: 'NotIn' },
          { key: 'metadata.name', operator: 'In', values: ['A'] },
          { key: 'metadata.name', operator: 'Exists' },
          { key: 'metadata.uid', operator: 'In', values: ['A'] },
        ),
      ),
      [
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[1].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[2].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[3].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[4].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[5].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[6].operator: Invalid value: "Like": not a valid selector operator',
        `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[6].key: Invalid value: "a b": ${NAME_PART}`,
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[1].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
        `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[2].values[0]: Invalid value: "A": ${SUBDOMAIN}`,
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[3].operator: Invalid value: "Exists": not a valid selector operator',
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[4].key: Invalid value: "metadata.uid": not a valid field selector key',
      ],
    ],
    [
      'has terms',
      terms(),
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
      ],
    ],
    [
      'has weights from 1 to 100',
      node({
        [PREFERRED]: [
          { weight: 0, preference: labels({ key: '', operator: 'Exists' }) },
          { weight: 101, preference: fields({ key: '', operator: 'In', values: ['a'] }) },
        ],
      }),
      [
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: Invalid value: "": name part must be non-empty',
        `spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: Invalid value: "": ${NAME_PART}`,
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[1].weight: Invalid value: 101: must be in the range 1-100',
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[1].preference.matchFields[0].key: Invalid value: "": not a valid field selector key',
      ],
    ],
  ]);
});

describe('affinity to pods', () => {
  const term = (more: object) => ({ topologyKey: 'k', labelSelector: {}, ...more });
  const wrong = [
    term({ topologyKey: '' }),
    term({ topologyKey: 'a b', namespaces: ['N'] }),
    term({ labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] }, namespaceSelector: { matchLabels: { a: 'b c' } } }),
  ];
  check([
    [
      'has a topology key, and valid selectors and namespaces',
      podOf({
        affinity: {
          podAffinity: {
            [REQUIRED]: wrong,
            [PREFERRED]: [
              { weight: 0, podAffinityTerm: wrong[0] },
              { weight: 101, podAffinityTerm: term({}) },
            ],
          },
          podAntiAffinity: {
            [REQUIRED]: [wrong[1]],
            [PREFERRED]: [
              { weight: 1, podAffinityTerm: wrong[1] },
              { weight: 100, podAffinityTerm: term({}) },
            ],
          },
        },
      }),
      [
        'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
        'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty',
        `spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": ${NAME_PART}`,
        `spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[1].namespace: Invalid value: "N": ${LABEL}`,
        `spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[1].topologyKey: Invalid value: "a b": ${NAME_PART}`,
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[2].labelSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[2].namespaceSelector.matchLabels: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
        'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Required value: can not be empty',
        'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: "": name part must be non-empty',
        `spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: "": ${NAME_PART}`,
        'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[1].weight: Invalid value: 101: must be in the range 1-100',
        `spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace: Invalid value: "N": ${LABEL}`,
        `spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "a b": ${NAME_PART}`,
        `spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.namespace: Invalid value: "N": ${LABEL}`,
        `spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: "a b": ${NAME_PART}`,
      ],
    ],
  ]);
});
