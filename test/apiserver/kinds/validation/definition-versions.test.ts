/** What a version of a CustomResourceDefinition may be: its schema, its scale and its columns. */
import { describe } from 'vitest';
import { check } from './causes.ts';

const LABEL_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const VERSION = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
const NAMES = { plural: 'tests', kind: 'Test' };

const definition = (spec: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'tests.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: NAMES, versions: [VERSION], ...spec },
});
const version = (more: object): object => definition({ versions: [{ ...VERSION, ...more }] });
const scale = (more: object): object =>
  version({ subresources: { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a', ...more } } });
const column = (more: object): object =>
  version({ additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a', ...more }] });

describe('a version', () => {
  check([
    ['has a name', version({ name: '' }), [`spec.versions[0].name: Invalid value: "": ${LABEL_1035}`]],
    ['has a name that is a label', version({ name: 'V1' }), [`spec.versions[0].name: Invalid value: "V1": ${LABEL_1035}`]],
    ['has a schema', version({ schema: {} }), ['spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required']],
    [
      'has a schema that is one',
      version({ schema: { openAPIV3Schema: { type: 'x' } } }),
      [
        'spec.versions[0].schema.openAPIV3Schema.type: Unsupported value: "x": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    ],
    [
      'warns where it is deprecated',
      version({ deprecationWarning: 'old' }),
      ['spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions'],
    ],
    [
      'warns with words',
      version({ deprecated: true, deprecationWarning: '' }),
      ['spec.versions[0].deprecationWarning: Invalid value: "": cannot be empty'],
    ],
    [
      'warns in 256 characters',
      version({
        deprecated: true,
        deprecationWarning: 'x'.repeat(256),
      }),
      [],
    ],
    [
      'warns in no more',
      version({
        deprecated: true,
        deprecationWarning: 'x'.repeat(257),
      }),
      [`spec.versions[0].deprecationWarning: Invalid value: "${'x'.repeat(257)}": cannot be longer than 256 characters`],
    ],
    [
      'has defaults that are valid',
      version({
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              a: { type: 'string', default: 1 },
              b: { type: 'object', default: { c: 1 } },
              c: { type: 'array', items: { type: 'integer', default: 'x' } },
              d: { type: 'object', additionalProperties: { type: 'boolean', default: 0 } },
              e: { type: 'string', default: 'x' },
            },
          },
        },
      }),
      [
        'spec.versions[0].schema.openAPIV3Schema.properties[a].default: Invalid value: "integer": in body must be of type string: "integer"',
        'spec.versions[0].schema.openAPIV3Schema.properties[b].default: Invalid value: {"c":1}: must not have unknown fields',
        'spec.versions[0].schema.openAPIV3Schema.properties[c].items.default: Invalid value: "string": in body must be of type integer: "string"',
        'spec.versions[0].schema.openAPIV3Schema.properties[d].additionalProperties.default: Invalid value: "integer": in body must be of type boolean: "integer"',
      ],
    ],
    [
      'has no default as a whole',
      version({ schema: { openAPIV3Schema: { type: 'object', default: {} } } }),
      ['spec.versions[0].schema.openAPIV3Schema.default: Forbidden: must be undefined at the root'],
    ],
  ]);
});

describe('a scale', () => {
  check([
    ['has paths', scale({}), []],
    [
      'has paths for replicas',
      scale({ specReplicasPath: '', statusReplicasPath: '' }),
      [
        'spec.versions[0].subresources.scale.specReplicasPath: Required value',
        'spec.versions[0].subresources.scale.statusReplicasPath: Required value',
      ],
    ],
    [
      'has paths of fields',
      scale({ specReplicasPath: '.spec.a[0]', statusReplicasPath: 'status.a', labelSelectorPath: '.status' }),
      [
        'spec.versions[0].subresources.scale.specReplicasPath: Invalid value: ".spec.a[0]": should be a simple json path with only fields',
        'spec.versions[0].subresources.scale.statusReplicasPath: Invalid value: "status.a": should be a simple json path with only fields',
        'spec.versions[0].subresources.scale.labelSelectorPath: Invalid value: ".status": should be a json path under either .spec or .status',
      ],
    ],
    [
      'has paths in their part',
      scale({ specReplicasPath: '.status.a', statusReplicasPath: '.spec.a', labelSelectorPath: '.metadata.a' }),
      [
        'spec.versions[0].subresources.scale.specReplicasPath: Invalid value: ".status.a": should be a json path under .spec',
        'spec.versions[0].subresources.scale.statusReplicasPath: Invalid value: ".spec.a": should be a json path under .status',
        'spec.versions[0].subresources.scale.labelSelectorPath: Invalid value: ".metadata.a": should be a json path under either .spec or .status',
      ],
    ],
    ['has a selector in either', scale({ labelSelectorPath: '.spec.a_b-1.c' }), []],
    [
      'has a whole part in no path',
      scale({ specReplicasPath: '.spec', statusReplicasPath: '.statusx.a' }),
      [
        'spec.versions[0].subresources.scale.specReplicasPath: Invalid value: ".spec": should be a json path under .spec',
        'spec.versions[0].subresources.scale.statusReplicasPath: Invalid value: ".statusx.a": should be a json path under .status',
      ],
    ],
  ]);
});

describe('a column', () => {
  check([
    ['has what it needs', column({}), []],
    [
      'has all parts',
      column({ name: '', type: '', jsonPath: '' }),
      [
        'spec.versions[0].additionalPrinterColumns[0].name: Required value',
        'spec.versions[0].additionalPrinterColumns[0].type: Required value: must be one of boolean,date,integer,number,string',
        'spec.versions[0].additionalPrinterColumns[0].jsonPath: Required value',
      ],
    ],
    [
      'has a known type',
      column({ type: 'x' }),
      ['spec.versions[0].additionalPrinterColumns[0].type: Invalid value: "x": must be one of boolean,date,integer,number,string'],
    ],
    [
      'has a known format',
      column({ format: 'x' }),
      [
        'spec.versions[0].additionalPrinterColumns[0].format: Invalid value: "x": must be one of byte,date,date-time,double,float,int32,int64,name,password',
      ],
    ],
    ['may have a format', column({ type: 'integer', format: 'int64', priority: 1 }), []],
    [
      'has a path',
      column({ jsonPath: 'spec.a' }),
      [
        'spec.versions[0].additionalPrinterColumns[0].jsonPath: Invalid value: "spec.a": is an invalid path: expected one such as .spec.size, .status.parts[0].name or .status.conditions[?(@.type=="Ready")].status',
      ],
    ],
    ['may have a condition in its path', column({ jsonPath: '.status.conditions[?(@.type=="Ready")].status' }), []],
  ]);
});
