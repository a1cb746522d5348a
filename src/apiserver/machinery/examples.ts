/** The parts that examples of several kinds share. */

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
