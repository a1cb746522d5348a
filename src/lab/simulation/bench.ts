/** What controllers and other definitions of somebody's own did wrong, as failures of the run with a place in their author's files. */
import { splitKey } from '../../apiserver/machinery/index.ts';
import type { Cluster, ClusterOptions } from '../../controlplane/cluster.ts';
import { controllers as registered } from '../../controlplane/controllers/index.ts';
import type { Controller } from '../../controlplane/runtime/index.ts';
import { definedAt, onBench, placeOfError, type ControllerFault, type Locate } from '../sandbox/index.ts';
import { controllersWith, type Definitions } from '../definitions/index.ts';
import { noteFailure, type Record } from './run-record.ts';
import type { Play } from './play.ts';

type Given = NonNullable<ClusterOptions['controllers']>;
type Report = (fault: ControllerFault) => void;

/** The controllers of a run: those of somebody's own on the bench, and where a run was given all of them, each that is none of ours. */
export function controllersOn(report: Report, own: Definitions, given: Given | undefined): Given {
  if (given === undefined) return controllersWith(own, (each, kinds) => onBench(each, kinds, report));
  return (kinds, options) => {
    const ours = new Set(registered(kinds, options).map(({ reconcile }) => reconcile));
    return given(kinds, options).map((each) => (ours.has(each.reconcile) ? each : onBench(each, kinds, report)));
  };
}

interface Findings {
  readonly report: Report;
  /** From now on they are written into the book; those of the warm-up at once. */
  attach(record: Record, cluster: Cluster): void;
}

/** Each controller's first fault is a failure of the run; more of the same would only bury it. */
export function findings(locate: Locate | undefined): Findings {
  const reported = new Set<string>();
  const early: ControllerFault[] = [];
  let note: ((fault: ControllerFault) => void) | undefined;
  return {
    report(fault) {
      if (reported.has(fault.controller.name)) return;
      reported.add(fault.controller.name);
      if (note === undefined) early.push(fault);
      else note(fault);
    },
    attach(record, cluster) {
      note = (fault) => {
        noteFault(record, cluster, fault, locate);
      };
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
  const { namespace, name } = splitKey(key);
  return { about: { kind: reconciles, name, ...(namespace === undefined ? {} : { namespace }) } };
}

/** What an invariant, a fault or a handler of somebody's own threw; anything else is an error of ours and goes on. */
export function noteThrown({ record, cluster, locate }: Play, error: unknown): void {
  const place = locate === undefined ? undefined : placeOfError(error, locate);
  if (place === undefined) throw error;
  const message = `what is brought along threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
  noteFailure(record, cluster, 'controller', { message, detail: [] }, { controller: 'of your own', source: place });
}
