/** Whole steps of a volume on a node, by its state there. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { attachDetach } from '../../../../src/controlplane/controllers/volume-attachment/controller.ts';
import type { OnNode } from '../../../../src/controlplane/controllers/volume-attachment/steps.ts';
import { at, AT } from '../../../support/objects.ts';
import { decide, linesOf } from '../../../support/reconcile.ts';
import { attachmentOf, DRIVER, holding, mounting, nameOn, BOUND, onNode } from './objects.ts';

const on = (state: OnNode['state'], more: Partial<OnNode> = {}): OnNode => onNode({ state, pollAt: at(0.525), ...more });
/** What is decided about the volume at a second, when its state on node n is known. */
const lines = (known: OnNode, objects: readonly ApiObject[], second = 60): readonly string[] => {
  const memory = { driver: DRIVER, handle: 'h-pv', exclusive: true, nodes: { n: known }, refused: [] };
  const outcome = decide(attachDetach, { objects: [...BOUND, ...objects], key: 'pv', now: at(second), startedAt: at(0), memory });
  return linesOf(outcome).map((line) =>
    line
      .replace(`memory: {driver:${DRIVER},handle:h-pv,exclusive:true,nodes:`, 'nodes: ')
      .replaceAll(nameOn('pv', 'n'), 'NAME')
      .replace(/resourceVersion:\d+/, 'resourceVersion:N'),
  );
};
/** The state that is remembered then: a text for each member that differs from that of a volume whose operation began at the start. */
const knows = (state: OnNode['state'], more: Readonly<Record<string, string | number | boolean>> = {}): string => {
  const usual = { state, begunAt: '@0', pollAt: '@0.525', pollMs: 525, notBefore: '@0', failed: 0, unwantedSince: '', inUse: false };
  const members = Object.entries({ ...usual, ...more }).filter(([, value]) => value !== '');
  return `nodes: {n:{${members.map(([name, value]) => `${name}:${value}`).join()}}},refused:[]}`;
};
const listing = (...volumes: readonly string[]): string =>
  `patch Node n {metadata:{resourceVersion:N},status:{volumesAttached:[${volumes.join()}]}} {patchType:merge,subresource:status,awaited:true}`;
const PV = `{name:kubernetes.io/csi/${DRIVER}^h-pv,devicePath:""}`;
const DELETES = 'delete VolumeAttachment NAME {uid:uid-NAME,tolerate:[NotFound]}';
const failing = (why: string): string => `event Warning FailedAttachVolume of Pod p: AttachVolume.Attach failed for volume "pv" : ${why}`;

const pod = mounting('p', 'data', 'n');
const [unlisted, listed, used] = [holding('n', []), holding('n', ['pv']), holding('n', ['pv'], ['pv'])];
const going = { deletionTimestamp: AT };
const [made, attached] = [attachmentOf('pv', 'n', {}), attachmentOf('pv', 'n', { attached: true })];
type Row = readonly [string, () => readonly string[], readonly string[]];

describe('a volume that is being attached', () => {
  const failed = 'n: the driver could not attach it';
  it.each<Row>([
    [
      'is not looked at before it is polled',
      () => lines(on('attaching'), [unlisted, pod, made], 0.5),
      ['n: the driver is attaching it', knows('attaching'), 'wakeAt: @0.6'],
    ],
    [
      'is polled again a little later than before',
      () => lines(on('attaching'), [unlisted, pod, made], 0.6),
      ['n: the driver is attaching it', knows('attaching', { pollAt: '@1.151', pollMs: 551 }), 'wakeAt: @1.2'],
    ],
    [
      'is attached, and starts anew without failures',
      () => lines(on('attaching', { failed: 2 }), [unlisted, pod, attached]),
      [
        'n: it is attached',
        'event Normal SuccessfulAttachVolume of Pod p: AttachVolume.Attach succeeded for volume "pv" ',
        listing(PV),
        knows('attached'),
        'wakeAt: @60.1',
      ],
    ],
    [
      'is attached, though no pod needs it any more',
      () => lines(on('attaching'), [used, attached]),
      ['n: it is attached', knows('attached', { inUse: true }), 'wakeAt: @60.1'],
    ],
    [
      'is not attached while its attachment is being deleted',
      () => lines(on('attaching'), [listed, pod, attachmentOf('pv', 'n', { attached: true }, going)]),
      [failed, failing('volume attachment is being deleted'), knows('uncertain', { notBefore: '@60.5', failed: 1 }), 'wakeAt: @60.5'],
    ],
    [
      'is refused by its driver',
      () => lines(on('attaching', { failed: 1 }), [unlisted, pod, attachmentOf('pv', 'n', { attachError: { message: 'no' } })]),
      [failed, failing('no'), knows('uncertain', { notBefore: '@61', failed: 2 }), 'wakeAt: @61'],
    ],
    [
      'is refused by its driver without a reason',
      () => lines(on('attaching'), [unlisted, pod, attachmentOf('pv', 'n', { attachError: {} })]),
      [failed, failing(''), knows('uncertain', { notBefore: '@60.5', failed: 1 }), 'wakeAt: @60.5'],
    ],
    [
      'is given up after two minutes',
      () => lines(on('attaching'), [unlisted, pod], 120),
      [
        failed,
        failing(`timed out waiting for external-attacher of ${DRIVER} CSI driver to attach volume h-pv`),
        knows('uncertain', { notBefore: '@120.5', failed: 1 }),
        'wakeAt: @120.5',
      ],
    ],
    [
      'is not given up before',
      () => lines(on('attaching'), [unlisted, pod], 119.9),
      ['n: the driver is attaching it', knows('attaching', { pollAt: '@120.451', pollMs: 551 }), 'wakeAt: @120.5'],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

describe('a volume that may be attached or not', () => {
  const again = { begunAt: '@60', pollAt: '@60.525', notBefore: '@60' };
  it.each<Row>([
    [
      'waits for its back-off',
      () => lines(on('uncertain', { notBefore: at(61) }), [unlisted, pod]),
      ['n: the next attempt to attach it waits for its back-off', knows('uncertain', { notBefore: '@61' }), 'wakeAt: @61'],
    ],
    [
      'is attached again then',
      () => lines(on('uncertain', { notBefore: at(60), unwantedSince: at(3) }), [unlisted, pod]),
      [
        'n: it is attached again',
        `create VolumeAttachment NAME {spec:{attacher:${DRIVER},nodeName:n,source:{persistentVolumeName:pv}}} {tolerate:[AlreadyExists]}`,
        knows('attaching', again),
        'wakeAt: @60.1',
      ],
    ],
    [
      'is attached again with the attachment that there is',
      () => lines(on('uncertain', { notBefore: at(60) }), [unlisted, pod, made]),
      ['n: it is attached again', knows('attaching', again), 'wakeAt: @60.6'],
    ],
    [
      'is detached after its back-off, when no pod needs it',
      () => lines(on('uncertain', { notBefore: at(61) }), [unlisted]),
      [
        'n: the next attempt to detach it waits for its back-off',
        knows('uncertain', { notBefore: '@61', unwantedSince: '@60' }),
        'wakeAt: @61',
      ],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

describe('an attached volume', () => {
  const detaching = { pollAt: '@60.525', begunAt: '@60', unwantedSince: '@60' };
  it.each<Row>([
    [
      'is listed by its node while a pod needs it',
      () => lines(on('attached', { unwantedSince: at(3) }), [unlisted, pod, attached]),
      ['n: it is attached as needed', listing(PV), knows('attached'), 'wakeAt: @60.1'],
    ],
    [
      'is verified once a minute',
      () => lines(on('attached'), [listed, pod], 60.1),
      ['n: a verification finds that it is no longer attached', listing(), 'nodes: {},refused:[]}', 'wakeAt: @60.2'],
    ],
    [
      'is detached when no pod needs it and its node does not use it',
      () => lines(on('attached'), [listed, attached]),
      ['n: no pod on the node needs it, and the node does not use it', listing(), DELETES, knows('detaching', detaching), 'wakeAt: @60.1'],
    ],
    [
      'is kept for six minutes while its node uses it',
      () => lines(on('attached'), [used, attached]),
      ['n: the node still lists it in volumesInUse', knows('attached', { unwantedSince: '@60', inUse: true }), 'wakeAt: @420'],
    ],
    [
      'is detached by force then',
      () => lines(on('attached', { unwantedSince: at(0) }), [used, attached], 360),
      [
        'n: the node has used it for six minutes after its pod was gone: force detach',
        listing(),
        DELETES,
        knows('detaching', { begunAt: '@360', pollAt: '@360.525', unwantedSince: '@0', inUse: true }),
        'wakeAt: @360.1',
      ],
    ],
    [
      'is detached without its attachment',
      () => lines(on('attached'), [listed]),
      ['n: it is detached', listing(), 'memory: null', 'wakeAt: @60.1'],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

describe('a volume that is being detached', () => {
  const known = on('detaching', { unwantedSince: at(1) });
  const leaving = attachmentOf('pv', 'n', {}, going);
  const failed = { failed: 1, unwantedSince: '@1' };
  it.each<Row>([
    [
      'is not looked at before it is polled',
      () => lines(on('detaching'), [unlisted], 0.5),
      ['n: the driver is detaching it', knows('detaching'), 'wakeAt: @0.6'],
    ],
    ['is detached when its attachment is gone', () => lines(known, [unlisted]), ['n: it is detached', 'memory: null', 'wakeAt: @60.1']],
    [
      'is detached anew where its attachment was not deleted',
      () => lines(known, [unlisted, made]),
      [
        'n: no pod on the node needs it, and the node does not use it',
        listing(),
        DELETES,
        knows('detaching', { begunAt: '@60', pollAt: '@60.525', unwantedSince: '@1' }),
        'wakeAt: @60.1',
      ],
    ],
    [
      'is kept there for a pod that needs it now',
      () => lines(known, [unlisted, pod, attached]),
      ['n: it is attached as needed', listing(PV), knows('attached'), 'wakeAt: @60.1'],
    ],
    [
      'is listed again where its driver refuses',
      () => lines(known, [unlisted, attachmentOf('pv', 'n', { detachError: { message: 'no' } }, going)]),
      ['n: the driver could not detach it', listing(PV), knows('attached', { ...failed, notBefore: '@60.5' }), 'wakeAt: @60.5'],
    ],
    [
      'is polled again',
      () => lines(known, [unlisted, leaving], 119.9),
      ['n: the driver is detaching it', knows('detaching', { pollAt: '@120.451', pollMs: 551, unwantedSince: '@1' }), 'wakeAt: @120.5'],
    ],
    [
      'is given up after two minutes',
      () => lines(known, [unlisted, leaving], 120),
      ['n: the driver could not detach it', listing(PV), knows('attached', { ...failed, notBefore: '@120.5' }), 'wakeAt: @120.5'],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});
