/** Commands that list what there is: `faults`, `invariants`, `rules`, `controllers`. */
import { faultsWith, invariantsWith, controllersWith, kindsWith, type Definitions } from '../../../lab/definitions/index.ts';
import type { Fields } from '../../../lab/scenario/index.ts';
import { specificationOf } from '../../../apiserver/kinds/index.ts';
import { isWriteRule, namesFor, type Rule } from '../../../apiserver/machinery/index.ts';
import { configSpecification } from '../../../controlplane/config/index.ts';
import { agentProcesses, createWorld } from '../../../controlplane/agents/index.ts';
import { controlPlane } from '../../../controlplane/control-plane.ts';
import { defineCommand, type CommandModule } from '../command.ts';
import { jsonText } from '../io.ts';
import { AS_JSON } from '../options.ts';
import { fittedTable } from '../../report/index.ts';
import { pluginsOf } from '../load.ts';

interface Listing<Item extends object> {
  /** Upper-case headings. */
  readonly columns: readonly string[];
  items(plugins: Definitions): readonly Item[];
  row(item: Item): readonly string[];
}

const listing = <Item extends object>({ columns, items, row }: Listing<Item>): CommandModule =>
  defineCommand({
    options: [AS_JSON],
    act({ io }, { json }) {
      const all = items(pluginsOf(io).definitions);
      if (json) return io.out(jsonText(all));
      const { palette } = io;
      const rows = all.map(row).map(([name = '', ...rest]) => [palette.strong(name), ...rest]);
      const heads = columns.map((name) => palette.dim(name));
      io.out(`${fittedTable([heads, ...rows], '   ', io.terminal ? io.columns : Infinity).join('\n')}\n`);
    },
  });

const written = (name: string, parameters: Fields): string => {
  const given = Object.entries(parameters).map(([parameter, field]) => (field.required === true ? parameter : `[${parameter}]`));
  return `${name}: …${given.length === 0 ? '' : `, ${given.join(', ')}`}`;
};

export const faults = listing({
  columns: ['FAULT', 'WRITTEN', 'DOES'],
  items: (definitions) =>
    faultsWith(definitions).map(({ name, description, subject, parameters }) => ({ name, description, subject, parameters })),
  row: ({ name, description, parameters }) => [name, `{ ${written(name, parameters)} }`, description],
});

export const invariants = listing({
  columns: ['NAME', 'HOLDS', 'SAYS'],
  items: (definitions) =>
    invariantsWith(definitions).map(({ name, temporal, description, kinds, onRequest }) => ({
      name,
      temporal,
      description,
      kinds,
      ...(onRequest === undefined ? {} : { onRequest }),
    })),
  row: ({ name, temporal, description, onRequest }) => [
    name,
    temporal,
    onRequest === undefined ? description : `${description} Checked only where a scenario names it: ${onRequest}.`,
  ],
});

const WRITE = 'a write that breaks it is refused';

export const allRules = (): readonly Rule[] => [...specificationOf(namesFor('orch.io')), ...configSpecification];

/** The effect of breaking a rule under `rules: specification`. */
export const effectOf = (rule: Rule): string => (isWriteRule(rule) ? WRITE : rule.does);

export const rules = listing({
  columns: ['RULE', 'FIELD', 'SAYS', 'WHERE', 'UNDER specification', 'V1.24, AND recorded WITH A WARNING'],
  items: () =>
    allRules().map((rule) => {
      const { name, kind, field, statement, place, recorded } = rule;
      return { name, kind, field, statement, place, effect: effectOf(rule), recorded };
    }),
  row: ({ name, field, statement, place, effect, recorded }) => [name, field, statement, place, effect, recorded],
});

/** The controllers of the controller manager, then those of a cluster with one node. */
function all(definitions: Definitions) {
  const names = namesFor('orch.io');
  const processes = [
    ...controlPlane(controllersWith(definitions)(kindsWith(names, definitions)), { controllerManager: {}, scheduler: {} }, names),
    ...agentProcesses([{ name: '<node>', capacity: {} }], {
      world: createWorld(),
      podBehaviors: [],
      storageDrivers: [{ name: '<driver>', attachDelayMs: 0, detachDelayMs: 0, provisionDelayMs: 0, storageClasses: [] }],
      nodeLeaseDurationSeconds: 40,
    }),
  ];
  return processes.flatMap((process) =>
    [...process.controllers, ...(process.elector === undefined ? [] : [process.elector])].map(
      ({ name, reconciles, writes, models = 'User-defined.' }) => ({
        name,
        process: process.name,
        ...(reconciles === undefined ? {} : { reconciles }),
        writes,
        models,
      }),
    ),
  );
}

export const controllers = listing({
  columns: ['CONTROLLER', 'PROCESS', 'RECONCILES', 'WRITES', 'MODELS'],
  items: all,
  row: ({ name, process, reconciles = '', writes, models }) => [name, process, reconciles, shortList(writes), models],
});

const SHOWN = 3;
/** The garbage collector writes every kind, so long lists are cut. */
const shortList = (names: readonly string[]): string =>
  names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;
