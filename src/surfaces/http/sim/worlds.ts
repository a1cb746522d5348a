/**
 * Worlds beside the first of a server, for tests that run side by side: each is a cluster of its own, below `/worlds/NAME`. They are
 * created, listed and deleted at `/sim/v1/worlds`, and reset at their own `/sim/v1/reset`.
 */
import { nearest } from '../../../schema/values/index.ts';
import { reply } from '../answer/encode.ts';
import type { HttpHead, HttpRequest, HttpReply } from '../message.ts';
import { badRequest, conflict, notFound, tooLarge } from '../refusals.ts';
import { readFields } from './fields.ts';
import type { Session, WorldList } from './routes.ts';

/** Each holds a whole cluster in memory. */
const MOST_WORLDS = 32;
const LARGEST = 4096;
const NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const PATH = /^\/worlds\/([^/?]+)(?=[/?]|$)/;

interface WorldsOptions {
  /** Creates a session, whose streams are in `streams`. `worlds`: of the first one. */
  open(streams: Streams, worlds?: WorldList): Session;
  /** Returns the text of the kubeconfig for a path of the server, with a bearer token if the request had one. */
  kubeconfig(path: string, token: string | undefined): string;
}

interface World {
  readonly session: Session;
  readonly streams: Streams;
}

function end({ session, streams }: World): void {
  session.stop();
  streams.end();
}

function listOf(worlds: Map<string, World>, { open, kubeconfig }: WorldsOptions): WorldList {
  let made = 0;
  const described = (name: string, { session }: World, { headers }: HttpRequest) => {
    const { cluster } = session.current.start;
    const path = `/worlds/${name}`;
    const token = /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
    const now = new Date(cluster.now).toISOString();
    return { name, path, now, objects: cluster.server.capacity.used, kubeconfig: kubeconfig(path, token) };
  };
  const known = (name: string): World => {
    const world = worlds.get(name);
    if (world !== undefined) return world;
    const near = nearest(name, [...worlds.keys()]);
    const meant = near === undefined ? '' : `; did you mean ${near}?`;
    throw notFound(`there is no world ${JSON.stringify(name)}${meant} (POST /sim/v1/worlds creates one, GET lists them)`);
  };
  const freeName = (): string => {
    const name = `world-${++made}`;
    return worlds.has(name) ? freeName() : name;
  };
  return {
    list: ({ http, format }) => reply(200, { items: [...worlds].map(([name, world]) => described(name, world, http)) }, format()),
    show: ({ http, format }, name) => reply(200, described(name, known(name), http), format()),
    create({ http, format }) {
      if (http.body.length > LARGEST) throw tooLarge(LARGEST);
      const name = nameIn(http) ?? freeName();
      if (worlds.has(name)) throw conflict(`there is a world ${name} already: POST /worlds/${name}/sim/v1/reset begins it again`);
      if (worlds.size >= MOST_WORLDS) throw badRequest(`there are ${MOST_WORLDS} worlds already: DELETE /sim/v1/worlds/NAME ends one`);
      const streams = createStreams();
      const world: World = { session: open(streams), streams };
      worlds.set(name, world);
      return reply(201, described(name, world, http), format());
    },
    remove({ http, format }, name) {
      const world = known(name);
      const last = described(name, world, http);
      end(world);
      worlds.delete(name);
      return reply(200, last, format());
    },
  };
}

export function createWorlds(options: WorldsOptions) {
  const worlds = new Map<string, World>();
  const streams = createStreams();
  const first: World = { session: options.open(streams, listOf(worlds, options)), streams };
  /** The world of a path, and the path in it. An unknown one is refused by the first, which asks who asks. */
  const routed = (target: string): { readonly world: World; readonly target: string } => {
    const [whole = '', name = ''] = PATH.exec(target) ?? [];
    if (whole === '') return { world: first, target };
    const world = worlds.get(name);
    const rest = target.slice(whole.length);
    if (world === undefined) return { world: first, target: `/sim/v1/worlds/${name}` };
    return { world, target: rest.startsWith('/') ? rest : `/${rest}` };
  };
  return {
    /** The world without a name. */
    first: first.session,
    answer(http: HttpRequest) {
      const { world, target } = routed(http.target);
      const answered = world.session.answer(target === http.target ? http : { ...http, target });
      return answered instanceof Promise ? answered.then(world.streams.through) : world.streams.through(answered);
    },
    admit(head: HttpHead) {
      const { world, target } = routed(head.target);
      return world.session.admit({ ...head, target });
    },
    stop() {
      for (const world of [first, ...worlds.values()]) end(world);
      worlds.clear();
    },
  };
}

function nameIn(http: HttpRequest): string | undefined {
  const { name } = readFields(http, ['name'], '{"name":"one"}');
  if (name === undefined) return undefined;
  if (typeof name === 'string' && NAME.test(name)) return name;
  throw badRequest(`name: expected lower-case letters, digits and dashes, at most 63, such as one, found ${JSON.stringify(name)}`);
}

export type Streams = ReturnType<typeof createStreams>;

export function createStreams() {
  const ends = new Set<() => void>();
  return {
    get open() {
      return ends.size;
    },
    /** Returns a reply whose stream is counted while it is open. */
    through(reply: HttpReply): HttpReply {
      if (!('open' in reply)) return reply;
      return {
        ...reply,
        open(sink) {
          const close = reply.open(sink);
          const end = (): void => sink.end();
          ends.add(end);
          return () => {
            ends.delete(end);
            close();
          };
        },
      };
    },
    /** Ends every stream, as a restart of the server does. */
    end() {
      for (const end of ends) end();
    },
  };
}
