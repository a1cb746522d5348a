/** A text without the values of its Secrets: they are replaced where they are written, and every other character stays. */
import { expect, it } from 'vitest';
import { withoutSecrets } from '../../../src/schema/yaml/index.ts';

const GONE = '"<redacted>"';

/** The text has each secret value between guillemets; they are no part of it. */
const expectRedacted = (marked: string): void => {
  const expected = marked.replaceAll(/«(?:[^»]*?)(\n?)»/g, `${GONE}$1`);
  expect(withoutSecrets(marked.replaceAll(/[«»]/g, ''))).toBe(expected);
};

it.each<[what: string, text: string]>([
  ['no Secret', 'kind: ConfigMap\ndata: { a: open }\n'],
  ['only the word', '# Secret\nkind: ConfigMap\ndata: { a: open }\nstringData: { b: open }\n'],
  [
    'every style of a value',
    'kind: Secret # c\ndata:\n  a: «b»\n  "c": «"d"»\n  e: «\'f\'» # c\n  g: «|\n    two\n    lines\n»stringData: { h: «i», j: «1» }\ntype: Opaque\n',
  ],
  ['a text that ends the file', 'kind: Secret\ndata:\n  a: «>-\n    folded»'],
  ['values that are empty or no texts', 'kind: Secret\ndata:\n  a:\n  b: [1, 2]\n  c: { d: e }\n  f: «x»\n'],
  ['data that is no mapping', 'kind: Secret\ndata: «c3dvcmQ=»\nstringData: [a]\n'],
  ['JSON', '{"kind":"Secret","data":{"a":«"Yg=="»},"type":"Opaque"}'],
  [
    'several documents and a list',
    'kind: Secret\ndata: { a: «b» }\n---\nkind: List\nitems:\n- kind: Secret\n  stringData: { c: «d» }\n- kind: ConfigMap\n  data: { e: f }\n',
  ],
  [
    'the manifest that kubectl keeps',
    'kind: Secret\nmetadata: { annotations: { kubectl.kubernetes.io/last-applied-configuration: «"{}"», other: x } }\n',
  ],
  ['a step that creates one', '- create: { kind: Secret, metadata: { name: a }, data: { b: «c» } }\n'],
  ['a patch by a short target', '- patch: { target: Secret/db, patch: { data: { a: «b» }, metadata: { labels: { c: d } } } }\n'],
  ['a patch of the only one', '- patch: { target: Secret, patch: { stringData: { a: «b» } } }\n'],
  ['a patch by a whole target', '- patch: { target: { kind: Secret, name: db }, patch: { data: { a: «b» } } }\n'],
  ['a patch that repeats the kind', '- patch: { target: Secret/db, patch: { kind: Secret, data: { a: «b» } } }\n'],
  ['a patch before its target', '- patch: { patch: { data: { a: «b» } }, target: Secret/db }\n'],
  [
    'operations of a JSON patch',
    `- patch:
    target: Secret/db
    patch:
      - { op: add, path: /data/a, value: «b» }
      - { op: replace, path: /stringData, value: { c: «d», e: «f» } }
      - { op: add, path: /metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration, value: «"{}"» }
      - { op: add, path: /type, value: Opaque }
      - { op: add, path: /database, value: x }
      - { op: remove, path: /data/a }
      - text
`,
  ],
  [
    'patches of other kinds',
    '- { target: ConfigMap/Secret, patch: { data: { a: b } } }\n- { target: { kind: ConfigMap, name: Secret }, patch: { data: { a: b } } }\n- { target: SecretStore/a, patch: { data: { a: b } } }\n- { patch: { data: { a: b } } }\n- { target: Secret/a, patch: text }\n',
  ],
])('%s', (_, text) => {
  expectRedacted(text);
});
