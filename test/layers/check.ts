/** Holds sources against the law of the house. Every violation names file, line and remedy, so that nobody has to look up a rule. */
import { BANS, CASTS, EXEMPTIONS, PACKAGE_REMEDIES, RXJS_TIMERS, type Cast, type Exemption } from './bans.ts';
import {
  FLOORS,
  FLOOR_FACE,
  LENDERS,
  LONGEST,
  LONGEST_FUNCTION,
  MAY_BE_LONG,
  MAY_BE_LONG_FUNCTIONS,
  MEDIAN,
  type Floor,
  type Room,
} from './layers.ts';
import { functionsOf } from './functions.ts';
import { codeOf, importsOf, lineAt, lineCount, type Import, type SourceFile } from './source.ts';

/** Where a file stands; entry points such as `src/index.ts` stand on no floor and may import any room's face. */
interface Place {
  readonly floor: Floor;
  readonly level: number;
  readonly room: Room;
  readonly order: number;
  /** Path inside the room; empty for a room that is a file. */
  readonly inside: string;
}

const SURFACES = FLOORS.findIndex(({ name }) => name === 'surfaces');

/** What breaks the order of floors and rooms. */
export function brokenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const from = placeOf(file.path);
    if (typeof from === 'string') return [`${file.path}:1 ${from}`];
    return importsOf(file).flatMap((found) => {
      const broken = found.specifier.startsWith('.') ? brokenPath(file, from, found) : brokenPackage(from, found);
      return broken === undefined ? [] : [`${file.path}:${found.line} imports ${found.specifier}: ${broken}`];
    });
  });
}

function brokenPath(file: SourceFile, from: Place | undefined, { specifier }: Import): string | undefined {
  if (!/\.(?:tsx?|json)$/.test(specifier)) return 'name the file with its ending: ./file.ts';
  const target = resolvePath(file.path, specifier);
  if (!target.startsWith('src/')) return 'it lies outside src, and what is installed has no outside';
  const to = placeOf(target);
  if (typeof to === 'string') return to;
  if (to === undefined)
    return from === undefined || LENDERS[file.path] !== undefined ? undefined : 'entry points face outwards: import the room itself';
  if (from !== undefined && from.room === to.room) return brokenSibling(from, to);
  if (from !== undefined && to.level > from.level)
    return `${from.floor.name} knows nothing of ${to.floor.name}: move what you need down, or pass it in as an argument`;
  if (from !== undefined && to.level === from.level && to.order > from.order)
    return `room ${from.room.name} stands above ${to.room.name} in the list of ${to.floor.name}: move the shared part up, or pass it in as an argument`;
  if (to.inside !== '' && to.inside !== 'index.ts')
    return `${to.room.name}/${to.inside} is inside: import ${to.floor.name}/${to.room.name}/index.ts and export it there`;
  return undefined;
}

/** Folders of a room that stand apart: each is read, changed and taken away alone. */
function brokenSibling({ floor, room, inside }: Place, to: Place): string | undefined {
  if (room.apart === undefined || !inside.includes('/') || !to.inside.includes('/')) return undefined;
  const [own, other] = [inside, to.inside].map((path) => path.split('/')[0]);
  return own === other
    ? undefined
    : `${own ?? ''} looks into its sibling ${other ?? ''}: move what both need to ${floor.name}/${room.apart.shared}`;
}

function brokenPackage(from: Place | undefined, { specifier, names }: Import): string | undefined {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (from === undefined) return undefined;
  const belowSurfaces = from.level < SURFACES;
  if (specifier.startsWith('node:'))
    return belowSurfaces ? `${from.floor.name} runs in a browser too: let a surface read it and pass it in` : undefined;
  const timer = name === 'rxjs' && belowSurfaces ? names.find((each) => RXJS_TIMERS.has(each)) : undefined;
  if (timer !== undefined) return `${timer} waits by the host's clock: schedule an event on the kernel`;
  if (from.floor.packages.includes(name)) return undefined;
  return (
    (belowSurfaces ? PACKAGE_REMEDIES[name] : undefined) ??
    `${from.floor.name} uses only ${from.floor.packages.join(', ')}: add it to test/layers/layers.ts if it must be`
  );
}

/** What leaks the host or goes round the ways of the house. */
export function brokenBans(files: readonly SourceFile[], exemptions: readonly Exemption[] = EXEMPTIONS): string[] {
  const used = new Set<Exemption>();
  const broken = files.flatMap((file) => {
    const code = codeOf(file.text);
    const belowSurfaces = FLOORS.slice(0, SURFACES).some(({ name }) => file.path.startsWith(`src/${name}/`));
    return BANS.filter((ban) => ban.where === undefined || belowSurfaces).flatMap((ban) => {
      const matches = [...code.matchAll(ban.pattern)];
      const exemption = exemptions.find((each) => each.file === file.path && each.ban === ban.name);
      if (exemption !== undefined && matches.length > 0) used.add(exemption);
      return exemption !== undefined ? [] : matches.map(({ index }) => `${file.path}:${lineAt(code, index)} ${ban.name}: ${ban.remedy}`);
    });
  });
  const stale = exemptions
    .filter((each) => !used.has(each))
    .map(({ file, ban }) => `${file}:1 no longer needs its exemption from "${ban}": take it off the list in test/layers/bans.ts`);
  return [...broken, ...stale];
}

/** What has grown too long. */
export function brokenSizes(files: readonly SourceFile[], mayBeLong: Readonly<Record<string, string>> = MAY_BE_LONG): string[] {
  const lengths = files.map(({ path, text }) => ({ path, lines: lineCount(text) }));
  const long = lengths
    .filter(({ path, lines }) => lines > LONGEST && mayBeLong[path] === undefined)
    .map(
      ({ path, lines }) => `${path}:${LONGEST + 1} has ${lines} lines: a file is one idea, so split it, or name the reason in MAY_BE_LONG`,
    );
  const stale = Object.keys(mayBeLong)
    .filter((path) => !lengths.some((each) => each.path === path && each.lines > LONGEST))
    .map((path) => `${path}:1 is not long any more: take it off MAY_BE_LONG`);
  const median = lengths.map(({ lines }) => lines).sort((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 0;
  return [
    ...long,
    ...stale,
    ...(median > MEDIAN ? [`src: the median file has ${median} lines, not ${MEDIAN}: split what holds several ideas`] : []),
  ];
}

/** Functions that do not fit a head. */
export function brokenFunctions(
  files: readonly SourceFile[],
  mayBeLong: Readonly<Record<string, string>> = MAY_BE_LONG_FUNCTIONS,
): string[] {
  const long = files.flatMap((file) =>
    functionsOf(file)
      .filter(({ lines }) => lines > LONGEST_FUNCTION)
      .map((found) => ({ ...found, path: file.path, key: `${file.path} ${found.name}` })),
  );
  const refused = long
    .filter(({ key }) => mayBeLong[key] === undefined)
    .map(
      ({ path, line, name, lines }) =>
        `${path}:${line} ${name} has ${lines} lines, not ${LONGEST_FUNCTION}: cut it into functions over a record of its state, ` +
        'as src/engine/kernel/queue.ts does',
    );
  const stale = Object.keys(mayBeLong)
    .filter((key) => !long.some((each) => each.key === key))
    .map((key) => `${key.replace(' ', ':1 ')} is not long any more: take it off MAY_BE_LONG_FUNCTIONS`);
  return [...refused, ...stale];
}

/** Values that are taken for what their types say they cannot be. */
export function brokenCasts(files: readonly SourceFile[], casts: Readonly<Record<string, Cast>> = CASTS): string[] {
  const found = files.map(({ path, text }) => {
    const code = codeOf(text);
    return { path, lines: [...code.matchAll(/\bas\s+unknown\s+as\b/g)].map(({ index }) => lineAt(code, index)) };
  });
  const refused = found
    .filter(({ path, lines }) => lines.length > (casts[path]?.count ?? 0))
    .map(
      ({ path, lines }) =>
        `${path}:${lines.at(-1)} as unknown as: type the value where it comes from (kinds are typed by name: ObjectByKind); ` +
        'where untyped input becomes typed, name the file, the number and the reason in CASTS',
    );
  const stale = Object.entries(casts).flatMap(([path, { count }]) => {
    const left = found.find((each) => each.path === path)?.lines.length ?? 0;
    return left >= count
      ? []
      : [`${path}:1 has ${left} of the ${count} casts that CASTS allows it: lower the number in test/layers/bans.ts`];
  });
  return [...refused, ...stale];
}

/** Rooms whose face does not say what lives there. */
export function silentRooms(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => /^src\/[^/]+\/[^/]+\/index\.ts$/.test(path) && !/^\s*\/[*/]/.test(text))
    .map(({ path }) => `${path}:1 the face of a room opens with a comment that says what lives here`);
}

function placeOf(path: string): Place | string | undefined {
  const [, floorName, roomName, ...rest] = path.split('/');
  if (roomName === undefined) return undefined;
  const level = FLOORS.findIndex(({ name }) => name === floorName);
  const floor = FLOORS[level];
  if (floor === undefined) return `there is no floor ${floorName ?? ''}: the floors are ${FLOORS.map(({ name }) => name).join(', ')}`;
  if (roomName === FLOOR_FACE.name) return { floor, level, room: FLOOR_FACE, order: floor.rooms.length, inside: '' };
  const order = floor.rooms.findIndex(({ name }) => name === roomName);
  const room = floor.rooms[order];
  if (room === undefined) return `${floor.name} has no room ${roomName}: add it at its place, with a reason, to test/layers/layers.ts`;
  return { floor, level, room, order, inside: rest.join('/') };
}

function resolvePath(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
