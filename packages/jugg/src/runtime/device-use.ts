/** What another client did to a device. */
export interface DeviceChange {
  readonly client: string;
  readonly tool: string;
  readonly at: string;
}

interface Use {
  /** Ends when all that was begun on the device before has ended. */
  tail: Promise<unknown>;
  /** Counts what was done, so that "since" needs no clock. */
  count: number;
  /** The newest change of each client. */
  readonly changes: Map<string, DeviceChange & { readonly count: number }>;
  /** How far each client has seen. */
  readonly seen: Map<string, number>;
}

/** Clients that are remembered for each device; whoever was not there for longest is forgotten. */
const CLIENTS_KEPT = 100;

/** Who does what on which device: input is put in order, and each client hears what others have done meanwhile. */
export class DeviceUse {
  readonly #devices = new Map<string, Use>();

  /** Runs `work` when everything that changes the device and came before has ended; reads do not come here. */
  async inOrder<T>(serial: string, work: () => Promise<T>): Promise<T> {
    const use = this.#use(serial);
    const before = use.tail;
    const mine = before.then(work, work);
    use.tail = mine.catch(() => {});
    return mine;
  }

  noteChange(serial: string, change: DeviceChange): void {
    const use = this.#use(serial);
    use.count += 1;
    remember(use.changes, change.client, { ...change, count: use.count });
  }

  /**
   * The newest change by another client since this client's last call on the device; this call is now its last. A client
   * that was not here before has seen nothing that could have changed.
   */
  changedBy(serial: string, client: string): DeviceChange | undefined {
    const use = this.#use(serial);
    const seen = use.seen.get(client);
    remember(use.seen, client, use.count);
    if (seen === undefined) return undefined;
    const [newest] = [...use.changes.values()]
      .filter((change) => change.client !== client && change.count > seen)
      .sort((a, b) => b.count - a.count);
    return newest && { client: newest.client, tool: newest.tool, at: newest.at };
  }

  #use(serial: string): Use {
    const known = this.#devices.get(serial);
    if (known) return known;
    const made: Use = { tail: Promise.resolve(), count: 0, changes: new Map(), seen: new Map() };
    this.#devices.set(serial, made);
    return made;
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > CLIENTS_KEPT && oldest !== undefined) map.delete(oldest);
}
