/** `controllers`: lists the controllers of a cluster: where each runs, what it reconciles and writes, and what of upstream it models. */
import { agentProcesses, createWorld } from '../../../controlplane/agents/index.ts';
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { controlPlane } from '../../../controlplane/control-plane.ts';
import { controllersWith, kindsWith, type Definitions } from '../../../lab/definitions/index.ts';
import { listing } from '../listing.ts';

/** The controllers of the controller manager, then those of a cluster with one node. */
function all(definitions: Definitions): readonly {
  readonly name: string;
  readonly process: string;
  readonly reconciles?: string;
  readonly writes: readonly string[];
  readonly models: string;
}[] {
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
function shortList(names: readonly string[]): string {
  return names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;
}
