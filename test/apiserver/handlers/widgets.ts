/** The definition of a custom kind, Widget, in the versions of a test. */
import type { ObjectInput } from '../../../src/apiserver/machinery/index.ts';

export const widgetDefinition = (versions: readonly object[]): ObjectInput => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions },
});
