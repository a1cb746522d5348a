import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { unknownFields } from '../../../src/schema/shape/index.ts';

describe('unknownFields', () => {
  const schema = kindsFor(namesFor('k8s.io')).byKind('Job')?.schema;

  it('names them with their place', () => {
    expect(schema).toBeDefined();
    const found =
      schema === undefined
        ? []
        : unknownFields(schema, {
            zz: 1,
            metadata: { labels: { anything: 'goes' }, nme: 'x' },
            spec: { template: { spec: { containers: [{ name: 'c' }, { imag: 'i' }] } } },
          });
    expect(found).toEqual(['zz', 'metadata.nme', 'spec.template.spec.containers[1].imag']);
  });
});
