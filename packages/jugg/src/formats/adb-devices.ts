/** One line of the adb server's device list. */
export interface ListedDevice {
  readonly serial: string;
  /** The literal state word or words: `device`, `offline`, `no permissions`, … Only `device` is usable. */
  readonly state: string;
  /** The explanation behind `no permissions`, without the brackets. */
  readonly detail: string | null;
  readonly usb: string | null;
  readonly product: string | null;
  readonly model: string | null;
  readonly device: string | null;
  readonly transportId: number | null;
}

// packages/modules/adb/transport.cpp, append_transport: the serial is padded to 22 but not cut, and may hold blanks
// ("adb-X (2)._adb-tls-connect._tcp"), so a line can only be read from its right end.
const FIELD = /\s+(usb|product|model|device|transport_id):(\S+)$/;
const STATES =
  'device|offline|unauthorized|authorizing|connecting|recovery|rescue|sideload|bootloader|host|download|unknown|detached|no device|no permissions(?: \\(.*\\))?(?:; see \\[.*\\])?';
const STATE = new RegExp(`^(.+?)\\s+(${STATES})$`);

function parseLine(line: string): ListedDevice | null {
  const fields = new Map<string, string>();
  let rest = line;
  for (let found = FIELD.exec(rest); found; found = FIELD.exec(rest)) {
    fields.set(found[1] ?? '', found[2] ?? '');
    rest = rest.slice(0, found.index);
  }
  const tab = rest.indexOf('\t');
  const [, serial, words] =
    tab > 0 ? [rest, rest.slice(0, tab), rest.slice(tab + 1).trim()] : (STATE.exec(rest.trimEnd()) ?? []);
  if (!serial || !words) return null;
  const refused = /^no permissions(?: \((.*)\))?/.exec(words);
  const transport = fields.get('transport_id');
  return {
    serial: serial.trim(),
    state: refused ? 'no permissions' : words,
    detail: refused?.[1] ?? null,
    usb: fields.get('usb') ?? null,
    product: fields.get('product') ?? null,
    model: fields.get('model') ?? null,
    device: fields.get('device') ?? null,
    transportId: transport === undefined ? null : Number(transport),
  };
}

/** Reads `host:devices` and `host:devices-l`, also as `adb devices [-l]` prints them, with its noise around. */
export function parseDeviceList(text: string): ListedDevice[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^(?:\* |List of devices|adb server )/.test(line))
    .map(parseLine)
    .filter((device) => device !== null);
}
