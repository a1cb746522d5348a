/** The additions that the README promises are a folder or a file and one line: what each consists of. */

export interface Addition {
  /** New files by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The registry, and the line in it. */
  readonly registry: string;
  readonly line: string;
}

export const additions: Readonly<Record<string, Addition>> = {
  'a kind': {
    registry: 'src/apiserver/kinds/all.ts',
    line: "export { widget } from './widget.ts';",
    files: {
      'src/apiserver/kinds/widget.ts': `/** Widget: something of a size, for a test. */
import { field, type Infer, int32, obj, req } from '../../schema/shape/index.ts';
import { ageColumn, column, defineKind, invalid, nameColumn, subdomainName, typeMeta, validateMeta, validateMetaUpdate } from '../machinery/index.ts';
import type { ObjectOf } from '../machinery/index.ts';

const schema = obj('Widget', 'Something of a size.', {
  ...typeMeta,
  size: field(2, 'How large it is.', req(int32)),
});
export type Widget = ObjectOf<'Widget', Infer<typeof schema>>;

export const widget = defineKind<Widget>({
  kind: 'Widget',
  plural: 'widgets',
  shortNames: ['wg'],
  groupPrefix: 'batch',
  version: 'v1',
  namespaced: true,
  schema,
  generation: 'spec',
  validateName: subdomainName,
  validate: (object, context) => [
    ...validateMeta(object, true, subdomainName, context),
    ...(object.size < 0 ? [invalid('size', object.size, 'must not be negative')] : []),
  ],
  validateUpdate: validateMetaUpdate,
  columns: [nameColumn, column('Size', 'integer', 'How large it is.', ({ size }) => size), ageColumn],
  models: 'A kind of a test.',
});
`,
    },
  },
  'a controller': {
    registry: 'src/controlplane/controllers/all.ts',
    line: "export { widgetTidier } from './widget-tidier/controller.ts';",
    files: {
      'src/controlplane/controllers/widget-tidier/controller.ts': `import { defineController, idle, remove, write } from '../../runtime/index.ts';

export const widgetTidier = defineController({
  name: 'widget-tidier',
  reconciles: 'Widget',
  writes: ['Widget'],
  models: 'A controller of a test.',
  reconcile({ self: widget }) {
    return widget.size > 0 ? idle('it is of a size') : write('nothing is left of it', remove(widget));
  },
});
`,
    },
  },
  'an agent': {
    registry: 'src/controlplane/agents/all.ts',
    line: "export { recycler } from './recycler/index.ts';",
    files: {
      'src/controlplane/agents/recycler/index.ts': `import { type Controller, defineController, idle, remove, write } from '../../runtime/index.ts';
import type { Agent } from '../agent.ts';

const recycling = defineController({
  name: 'recycling',
  reconciles: 'ConfigMap',
  writes: ['ConfigMap'],
  models: 'An agent of a test.',
  reconcile({ self: settings }) {
    return settings.data?.['trash'] === undefined ? idle('it is in use') : write('it says that it is trash', remove(settings));
  },
});

export const recycler: Agent = {
  name: 'recycler',
  processes: () => [{ name: 'recycler', controllers: [recycling as unknown as Controller] }],
};
`,
    },
  },
  'a fault': {
    registry: 'src/lab/faults/all.ts',
    line: "export { hiccup } from './hiccup.ts';",
    files: {
      'src/lab/faults/hiccup.ts': `import type { Fault } from './fault.ts';
import { processField, subjectText } from './parameters.ts';

export const hiccup: Fault = {
  name: 'hiccup',
  description: 'Kills a process and starts it at once.',
  subject: processField,
  parameters: {},
  apply(cluster, call, causes) {
    const name = subjectText(call);
    const done = cluster.runtime.crash(name, causes) && cluster.runtime.restart(name, cluster.now, causes);
    return done ? { detail: \`\${name} had a hiccup\` } : { error: \`\${name} is not up\` };
  },
};
`,
    },
  },
  'an invariant': {
    registry: 'src/lab/invariants/all.ts',
    line: "export { widgetIsSmall } from './widget.ts';",
    files: {
      'src/lab/invariants/widget.ts': `import type { Checker, Invariant, Violation } from './invariant.ts';

export const widgetIsSmall: Invariant = {
  name: 'widget/is-small',
  temporal: 'always',
  description: 'No Widget is larger than ten.',
  kinds: ['Widget'],
  check(): Checker {
    let exercised = 0;
    return {
      get exercised() {
        return exercised;
      },
      onChange({ object }): Violation | undefined {
        const { size } = object;
        if (typeof size === 'number' && size > 10) return { message: \`Widget \${object.metadata.name} is \${size} large\`, object };
        exercised++;
        return undefined;
      },
    };
  },
};
`,
    },
  },
  'a command': {
    registry: 'src/surfaces/cli/commands/index.ts',
    line: "  { name: 'hello', takes: '', summary: 'says hello', load: () => import('./hello.ts') },",
    files: {
      'src/surfaces/cli/commands/hello.ts': `import { defineCommand } from '../command.ts';

export const command = defineCommand({ act: ({ io }) => io.out('hello\\n') });
`,
    },
  },
};

/** A scenario that needs all of them but the command. */
export const SCENARIO = (size: number): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: additions }
spec:
  until: 20s
  invariants: [widget/is-small]
  steps:
    - create: { apiVersion: batch/v1, kind: Widget, metadata: { name: kept }, size: ${size} }
    - create: { apiVersion: batch/v1, kind: Widget, metadata: { name: spent }, size: 0 }
    - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: old }, data: { trash: "1" } }
    - at: 5s
      fault: { hiccup: controller-manager }
    - at: 10s
      expect:
        - cel: objects('Widget').map(w, w.metadata.name) == ['kept']
        - cel: objects('ConfigMap').filter(c, c.metadata.name == 'old').size() == 0
`;

/** A field of a kind that is there already: one place. */
export const FIELD = {
  path: 'src/apiserver/kinds/csi-driver.ts',
  before: '    storageCapacity: field(',
  line: "    keepsFor: field(42, 'How many days a volume of it keeps.', oneOf(ptr(str('KeepsFor')), ['Long', 'Short']), { among: ['Long', 'Short'], column: 'Keeps', since: 'CSIInlineVolume' }),",
} as const;
