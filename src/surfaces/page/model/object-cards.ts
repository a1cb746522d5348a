/** Card contents of leases, schedules, claims and volumes, services, and custom kinds. */
import type { CronJob, EndpointSlice, Lease, PersistentVolume, PersistentVolumeClaim, Service } from '../../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { CardContent, Slot } from './card.ts';
import { duration, many, wallClock } from './words.ts';
import { isOwnedBy, MOST_SLOTS } from './workloads.ts';
import type { PageWorld } from './world.ts';

export function lease({ spec }: Lease, now: number): CardContent {
  const { holderIdentity, renewTime, leaseDurationSeconds } = spec;
  if (holderIdentity === undefined || holderIdentity === null || holderIdentity === '') return { note: 'no holder' };
  const holder = holderIdentity.split('_')[0] ?? holderIdentity;
  if (typeof renewTime !== 'string' || typeof leaseDurationSeconds !== 'number') return { note: `held by ${holder}` };
  const leftMs = Date.parse(renewTime) + leaseDurationSeconds * 1000 - now;
  const left = Math.max(0, Math.min(1, leftMs / (leaseDurationSeconds * 1000)));
  return { left, note: `${holder} · ${leftMs > 0 ? `${duration(leftMs)} left` : `expired ${duration(leftMs)} ago`}` };
}

/** A schedule names its zone in a field, or before the expression. */
const IN_SCHEDULE = /^(?:CRON_TZ|TZ)=(\S+)\s+/;

export function cronJob({ spec, status }: CronJob, now: number): CardContent {
  const zone = spec.timeZone ?? IN_SCHEDULE.exec(spec.schedule)?.[1] ?? 'UTC';
  const clocks = (zone === 'UTC' ? ['UTC'] : ['UTC', zone]).flatMap((name) => {
    const text = wallClock(now, name);
    return text === undefined ? [] : [{ label: name, text }];
  });
  const { lastScheduleTime } = status;
  const last =
    typeof lastScheduleTime === 'string'
      ? `last ${wallClock(Date.parse(lastScheduleTime), 'UTC') ?? lastScheduleTime} UTC`
      : 'has never run';
  const running = status.active === undefined || status.active.length === 0 ? '' : ` · ${status.active.length} active`;
  return {
    code: spec.schedule.replace(IN_SCHEDULE, ''),
    lines: clocks,
    note: `${spec.suspend ? 'suspended · ' : ''}${last}${running}`,
  };
}

export function claim({ spec, status }: PersistentVolumeClaim, world: PageWorld): CardContent {
  const { phase = 'Pending', capacity } = status;
  const { volumeName = '' } = spec;
  const code = `${phase}${capacity?.['storage'] === undefined ? '' : `  ${capacity['storage']}`}`;
  return { code, note: volumeName === '' ? 'no volume yet' : whereIs(volumeName, world) };
}

function whereIs(volume: string, world: PageWorld): string {
  for (const { object } of world.list('VolumeAttachment'))
    if (isOf('VolumeAttachment', object) && object.spec.source.persistentVolumeName === volume)
      return `attached to ${object.spec.nodeName}${object.metadata.deletionTimestamp === undefined ? '' : ', terminating'}`;
  return 'not attached';
}

/** An unbound volume: bound ones are shown with their claims. */
export function volume({ spec, status }: PersistentVolume): CardContent {
  const { phase = 'Pending' } = status;
  const of = spec.claimRef?.name;
  return { code: phase, note: of === undefined ? 'waits for a claim' : phase === 'Released' ? `was ${of}'s` : `for ${of}` };
}

export function service({ metadata }: Service, world: PageWorld): CardContent {
  const endpoints = world
    .list('EndpointSlice')
    .map(({ object }) => object)
    .filter((object): object is EndpointSlice => isOf('EndpointSlice', object))
    .filter((slice) => slice.metadata.namespace === metadata.namespace && isOwnedBy(slice, metadata.uid))
    .flatMap(({ endpoints: list }) => list ?? []);
  const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false).length;
  const slots = endpoints.slice(0, MOST_SLOTS).map(({ conditions, targetRef }): Slot => {
    const is = conditions?.ready === false ? 'Running' : 'Ready';
    const name = targetRef?.name;
    return { is, ...(name === undefined ? {} : { title: `${name}, ${is === 'Ready' ? 'ready' : 'not ready'}` }) };
  });
  return { slots, note: endpoints.length === 0 ? 'no endpoints' : `${ready} of ${many(endpoints.length, 'endpoint')} ready` };
}

const MOST_FIELDS = 3;

/** The card of a custom kind: the scalar fields of its status. */
export function customKind({ status }: ApiObject): CardContent {
  const fields = typeof status === 'object' && status !== null ? Object.entries(status) : [];
  const phase = fields.find(([name, value]) => name === 'phase' && typeof value === 'string');
  const said = fields.filter(([name, value]) => name !== 'phase' && (typeof value === 'string' || typeof value === 'number'));
  return {
    ...(phase === undefined ? {} : { code: String(phase[1]) }),
    note:
      said
        .slice(0, MOST_FIELDS)
        .map(([name, value]) => `${name} ${String(value)}`)
        .join(' · ') || (fields.length === 0 ? 'no status yet' : ''),
  };
}
