/** Valid objects of kinds, for tests and documentation, and the parts that several of them share. */
import type { Names } from '../objects/index.ts';

export const EXAMPLE_LABELS = { app: 'web' };
export const EXAMPLE_TEMPLATE = {
  metadata: { labels: EXAMPLE_LABELS },
  spec: {
    restartPolicy: 'Always',
    containers: [
      {
        name: 'c',
        image: 'sim:1',
        ports: [{ name: 'http', containerPort: 80 }],
        env: [{ name: 'A', value: '1' }],
        resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1' } },
      },
    ],
    tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
    nodeSelector: { zone: 'a' },
  },
};
export const EXAMPLE_JOB_SPEC = {
  parallelism: 2,
  completions: 4,
  backoffLimit: 3,
  completionMode: 'Indexed',
  template: { ...EXAMPLE_TEMPLATE, spec: { ...EXAMPLE_TEMPLATE.spec, restartPolicy: 'Never' } },
};

export type Fields = Readonly<Record<string, unknown>>;

/** A valid object of a kind. */
export interface Example {
  /** Its name, where that follows from what it holds. */
  readonly name?: string;
  /** What it holds besides its metadata. */
  fields(names: Names): Fields;
  /** A second one of another name, for kinds whose names follow from what they hold. */
  readonly another?: { readonly name: string; readonly fields: Fields };
}
