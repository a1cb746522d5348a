/** Violations by a user's controllers and other definitions, as failures of the run with a position in their author's files. */
import { splitKey } from '../../apiserver/machinery/index.ts';
import type { Cluster, ClusterOptions } from '../../controlplane/cluster.ts';
import { controllers as registered } from '../../controlplane/controllers/index.ts';
import type { Controller } from '../../controlplane/runtime/index.ts';
import { definedAt, inSandbox, outOfSandbox, placeOfError, type ControllerFault, type Locate } from '../sandbox/index.ts';
import type { Position } from '../scenario/index.ts';
import { present } from '../../schema/values/index.ts';
import { controllersWith, type Definitions } from '../definitions/index.ts';
import { noteFailure, type Record, type Play } from './run-record.ts';

type Given = NonNullable<ClusterOptions['controllers']>;
type Report = (fault: ControllerFault) => void;

/**
 * Returns the controllers of a run: the user's run in a sandbox. Where the run was given all controllers, those that are not built-in do.
 */
export function controllersOn(report: Report, own: Definitions, given: Given | undefined): Given {
  if (given === undefined) return controllersWith(own, (each, kinds) => inSandbox(each, kinds, report));
  return (kinds, options) => {
    const ours = new Set(registered(kinds, options).map(({ reconcile }) => reconcile));
    return given(kinds, options).map((each) => (ours.has(each.reconcile) ? each : inSandbox(each, kinds, report)));
  };
}

/** Only the first violation of each controller is a failure of the run, because the following ones usually repeat it. */
export function findings(locate: Locate | undefined) {
  const reported = new Set<string>();
  const early: ControllerFault[] = [];
  const to: { note?: (fault: ControllerFault) => void } = {};
  return {
    report(fault: ControllerFault): void {
      if (reported.has(fault.controller.name)) return;
      reported.add(fault.controller.name);
      if (to.note === undefined) early.push(fault);
      else to.note(fault);
    },
    /** Records later violations as failures of the run; those of the warm-up are recorded now. */
    attach(record: Record, cluster: Cluster): void {
      const note = (fault: ControllerFault): void => noteFault(record, cluster, fault, locate);
      to.note = note;
      early.forEach(note);
    },
  };
}

function noteFault(
  record: Record,
  cluster: Cluster,
  { controller, key, message, detail, thrown }: ControllerFault,
  locate: Locate | undefined,
): void {
  const source = placeOfError(thrown, locate) ?? definedAt(controller, locate);
  noteFailure(
    record,
    cluster,
    'controller',
    { message, detail: key === undefined ? detail : [`  about ${about(controller, key)}`, ...detail], ...subject(controller, key) },
    { controller: controller.name, source },
  );
}

const about = ({ reconciles }: Controller, key: string): string => (reconciles === undefined ? key : `${reconciles} ${key}`);

function subject({ reconciles }: Controller, key: string | undefined) {
  if (reconciles === undefined || key === undefined) return {};
  return { about: present({ kind: reconciles, ...splitKey(key) }) };
}

/**
 * Records an exception that a user's invariant, fault or handler threw. Other exceptions are errors of the simulator and are thrown again.
 */
export function noteThrown({ record, cluster, locate }: Play, error: unknown): void {
  const place = locate === undefined ? undefined : placeOfError(error, locate);
  if (place === undefined) throw error;
  const message = `a definition of yours threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
  noteFailure(record, cluster, 'controller', { message, detail: [] }, { controller: 'of your own', source: place });
}

export function loopingAt(
  { cluster, locate }: { readonly cluster: Cluster; readonly locate?: Locate | undefined },
  { controller: name }: { readonly controller?: string | undefined },
): Position | undefined {
  if (name === undefined) return undefined;
  for (const process of cluster.runtime.names())
    for (const each of cluster.runtime.process(process)?.spec.controllers ?? [])
      if (each.name === name && outOfSandbox(each) !== each) return definedAt(outOfSandbox(each), locate);
  return undefined;
}
